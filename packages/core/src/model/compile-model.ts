import { HookTable } from '../hooks/hook-table.ts'
import { setProperties } from './attach-model.ts'
import type { ModelConstructor, ModelInstance } from '../contract/model-instance.ts'
import type { Rule } from '../rules/rule.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { PropertyType } from '../types/property-type.ts'
import { MethodTable } from '../definition/method-table.ts'
import type { Registry } from '../contract/registry.ts'
import { declaredRules, ruleOfPresence } from '../rules/declared-rules.ts'
import { readChecks, ruleOfCheck } from '../rules/model-checks.ts'
import { compileProperty, type TypePlace } from '../types/compile-type.ts'
import { injectedId } from './injected-id.ts'
import { readOptimisticLocking, withVersion } from './optimistic-locking.ts'
import { inheritDefinition, type ResolvedDefinition, expandProperty } from '../definition/inherit-definition.ts'
import { type ModelDefinition, httpPath, pluralName } from '../definition/model-definition.ts'

/** The origin of a model. */
export interface ModelOrigin {
  readonly base: ModelType | undefined
  /** The class that the model's class extends. */
  readonly parent: ModelConstructor
  /** The file of the definition, for errors. */
  readonly file?: string | undefined
}

/**
 * Compiles a checked definition.
 * @throws {DefinitionError} a property or a rule is wrong
 */
export function compileModel(registry: Registry, definition: ModelDefinition, origin: ModelOrigin): ModelType {
  const { base, parent } = origin
  const resolved = inheritDefinition(definition, base?.definition)
  const model = blankModel(registry, resolved, origin)
  setProperties(model, compileProperties(model, resolved, origin))
  for (const [name, spec] of Object.entries(resolved.methods ?? {})) model.methods.declare(name, spec)
  model.checks = readChecks(model)
  model.rules.push(
    ...inheritedRules(model, resolved),
    ...requiredRules(model, base),
    ...declaredRules(ownRules(definition, resolved), origin.file),
    ...model.checks.map(ruleOfCheck)
  )
  return Object.assign(model, { modelClass: makeClass(model, parent) })
}

function hiddenNames({ hidden = [], properties }: ResolvedDefinition): string[] {
  const byProperty = Object.entries(properties).filter(([, property]) => property.hidden === true)
  return [...hidden, ...byProperty.map(([name]) => name)]
}

const noId: Pick<ModelType, 'key' | 'keyNames' | 'idProperty'> = { key: [], keyNames: [], idProperty: undefined }

/** A model without its properties, rules and class. */
function blankModel(registry: Registry, resolved: ResolvedDefinition, { base, parent, file }: ModelOrigin): ModelType {
  return {
    name: resolved.name,
    plural: pluralName(resolved),
    httpPath: httpPath(resolved),
    base,
    file,
    definition: resolved,
    registry,
    persisted: base?.persisted === true || resolved.name === 'PersistedModel',
    properties: [],
    byName: new Map(),
    embedded: new Map(),
    plan: [],
    readDefaults: [],
    readTexts: [],
    ...noId,
    optimisticLocking: readOptimisticLocking(resolved),
    logsChanges: resolved.changeLog === true,
    hidden: new Set([...(base?.hidden ?? []), ...hiddenNames(resolved)]),
    protected: new Set(resolved.protected),
    strict: resolved.strict !== undefined && resolved.strict !== false,
    dropsUndeclared: resolved.strict === 'filter',
    forceId: false,
    persistUndefinedAsNull: resolved.persistUndefinedAsNull === true,
    queryScopes: [...(base?.queryScopes ?? [])],
    relations: new Map(),
    deletionGuards: [],
    rules: [],
    checks: [],
    hooks: new HookTable(base?.hooks, () => {
      registry.observed = true
    }),
    methods: new MethodTable(),
    modelClass: parent,
    dataSource: undefined,
    collection: undefined
  }
}

const placeOf = (file: string | undefined): { file?: string } => (file === undefined ? {} : { file })

const rulesOfTypes = ({
  registry: { rules }
}: ModelType): Pick<TypePlace, 'dottedNames' | 'setsGenerated' | 'takesNull'> => ({
  dottedNames: rules.allowsDottedNames,
  setsGenerated: rules.setsGenerated,
  takesNull: rules.takesNullForDefaults
})

function compileProperties(
  model: ModelType,
  resolved: ResolvedDefinition,
  { base, file }: ModelOrigin
): readonly PropertyType[] {
  const place = { model: model.name, ...rulesOfTypes(model), ...placeOf(file) }
  const declared = Object.entries(resolved.properties).map(([name, property]) =>
    compileProperty(name, property, { ...place, key: `properties.${name}` })
  )
  const { optimisticLocking } = model
  const properties = optimisticLocking === undefined ? declared : withVersion(declared, optimisticLocking, place)
  const needsId = base !== undefined && resolved.idInjection !== false && !properties.some((property) => property.id)
  if (!needsId) return properties
  const id = injectedId(model.name)
  // LB3: a property of this name that is not declared as an id becomes one; lib/model-builder.js of the juggler, idInjection.
  return properties.some(({ name }) => name === id.name)
    ? properties.map((property) => (property.name === id.name ? id : property))
    : [...properties, id]
}

/** The model leaves out a property of its base. */
const leavesOut = (base: ModelType, { properties }: ResolvedDefinition, name: string): boolean =>
  base.byName.has(name) && !Object.hasOwn(properties, name)

/**
 * Rules of the base, except for its very own, for those of properties that are left out, and for `presence` of properties that may be
 * null now. That of a property which the model declares anew is the new one's.
 */
function inheritedRules(model: ModelType, resolved: ResolvedDefinition): Rule[] {
  const { base } = model
  if (base === undefined) return []
  return base.rules.flatMap((rule) => {
    if (rule.isOwn === true || leavesOut(base, resolved, rule.property)) return []
    if (rule.kind !== 'presence') return [rule]
    const property = model.byName.get(rule.property)
    if (property?.nullable !== false) return []
    return [rule.ofProperty === true ? ruleOfPresence(property) : rule]
  })
}

/** What a model states itself: the rules of its base are inherited as they are. */
const ownRules = (definition: ModelDefinition, resolved: ResolvedDefinition): ResolvedDefinition => ({
  ...resolved,
  validations: definition.validations,
  properties: Object.fromEntries(
    Object.entries(resolved.properties).filter(([name]) => Object.hasOwn(definition.properties ?? {}, name))
  )
})

function requiredRules(model: ModelType, base: ModelType | undefined) {
  const inherited = new Set((base?.rules ?? []).filter((rule) => rule.kind === 'presence').map((rule) => rule.property))
  // A generated id is absent until the database makes it.
  const required = model.properties.filter(
    (property) => !property.nullable && !property.generated && !inherited.has(property.name)
  )
  return required.map(ruleOfPresence)
}

function makeClass(model: ModelType, parent: ModelConstructor): ModelConstructor {
  // A computed key names the class, so that errors and `constructor.name` show the model's name.
  const made = { [model.name]: class extends parent {} }[model.name] ?? parent
  Object.defineProperty(made, 'modelType', { value: model })
  Object.defineProperty(made, 'modelName', { value: model.name, configurable: true })
  showId(model, made)
  return made
}

/** The value of the property that is the id; an object of all of them where there are several. */
function idOf({ modelType }: ModelConstructor, record: Readonly<Record<string, unknown>>): unknown {
  const names = modelType.properties.filter(({ id }) => id).map(({ name }) => name)
  const [name = 'id'] = names
  return names.length > 1 ? Object.fromEntries(names.map((each) => [each, record[each]])) : record[name]
}

/**
 * LB3: records whose id has another name have `id` as well, which reads it; it is not a property, and setting it does
 * nothing.
 * @see LoopBack 3: loopback-datasource-juggler, lib/model-builder.js
 */
function showId({ registry, idProperty, byName }: ModelType, modelClass: ModelConstructor): void {
  if (!registry.rules.aliasesId || idProperty === undefined || byName.has('id')) return
  Object.defineProperty(modelClass.prototype, 'id', {
    get(this: ModelInstance) {
      return idOf(modelClass, this)
    },
    set(this: ModelInstance, value: unknown) {
      // A model that extends this one may declare the property.
      const own = this.constructor as ModelConstructor // the class of every record
      if (own.modelType.byName.has('id'))
        Object.defineProperty(this, 'id', { value, writable: true, enumerable: true, configurable: true })
    },
    configurable: true,
    enumerable: false
  })
}

/**
 * Adds a property to a compiled model, or replaces the one with that name.
 * @throws {UnknownPropertyType} its type is none
 * @throws {DottedPropertyName} the name holds a dot and the protocol's version forbids it
 */
export function addProperty(model: ModelType, name: string, written: unknown): void {
  const definition = expandProperty(written)
  const place = { model: model.name, key: `properties.${name}`, ...rulesOfTypes(model) }
  const property = compileProperty(name, definition, place)
  model.definition.properties[name] = definition
  const isNew = !model.byName.has(name)
  setProperties(
    model,
    isNew ? [...model.properties, property] : model.properties.map((each) => (each.name === name ? property : each))
  )
  if (definition.hidden === true) model.hidden.add(name)
  if (!model.registry.rules.takesNullForDefaults) forgetPresence(model, name)
  const isKnown = model.rules.some((rule) => rule.kind === 'presence' && rule.property === name)
  if (!property.nullable && !property.generated && !isKnown) model.rules.push(ruleOfPresence(property))
}

/** Removes the rule that a property had before it was defined anew. LB3: it stays. */
function forgetPresence({ rules }: ModelType, name: string): void {
  const at = rules.findIndex((rule) => rule.ofProperty === true && rule.property === name)
  if (at !== -1) rules.splice(at, 1)
}
