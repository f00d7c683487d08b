import type { RelationDefinition, RelationKindName, RelationKindTypes } from '../definition/relation-definition.ts'
import type {
  CopyProperties,
  OnDelete,
  RelationKeys,
  RelationKindFacts,
  Relations,
  RelationSettings,
  ResolvedRelation
} from '../contract/relation.ts'
import { type Draft, findNamed, modelNameOf, withoutBlanks } from './draft.ts'
import { resolveBelongsTo, resolveChildren, resolveReferences } from './resolve-keys.ts'
import { resolveEmbedsMany, resolveEmbedsOne } from './resolve-embedded.ts'
import { resolveJoined, resolveThrough } from './resolve-through.ts'
import { InvalidDefinition, InvalidRelation, RegistrySealed, RelationTargetMissing } from '../definition/errors.ts'
import type { Registry } from '../contract/registry.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject } from '@modelwire/server'

/** A kind of relation as data, and how its keys are found. */
export interface RelationKindEntry extends Omit<RelationKindFacts, 'kind'> {
  /** Completes a definition and adds the properties that the relation needs to the models. */
  readonly resolve: (draft: Draft) => RelationKeys
  /** The type whose relations are of this kind if they have a `through`. Such a kind has no type of its own in definitions. */
  readonly throughOf?: RelationKindName
}

/** Kinds of relations by their names. */
export type RelationKindMap = ReadonlyMap<string, RelationKindEntry>

const plain = { many: false, embeds: false, holdsKey: undefined } as const
const several = { ...plain, many: true } as const

type Entries = { readonly [K in RelationKindName]: RelationKindEntry & Pick<RelationKindTypes[K], 'many'> }

/** LoopBack's kinds, which require no package. */
export const loopbackKinds = {
  belongsTo: { ...plain, holdsKey: 'one', resolve: resolveBelongsTo },
  hasOne: { ...plain, resolve: resolveChildren },
  hasMany: { ...several, resolve: resolveChildren },
  hasManyThrough: { ...several, resolve: resolveThrough, throughOf: 'hasMany' },
  hasAndBelongsToMany: { ...several, resolve: resolveJoined },
  referencesMany: { ...several, holdsKey: 'list', resolve: resolveReferences },
  embedsOne: { ...plain, embeds: true, resolve: resolveEmbedsOne },
  embedsMany: { ...several, embeds: true, resolve: resolveEmbedsMany }
} satisfies Partial<Entries>

/** The name of a relation's kind: with a model between it may be another one than its type. */
function kindNameOf(kinds: RelationKindMap, { type, through }: RelationDefinition): string {
  if (through === undefined || through === null) return type
  for (const [name, { throughOf }] of kinds) if (throughOf === type) return name
  return type
}

/** The kind of a relation; undefined if none of `kinds` has its type. */
export function relationKindOf(
  kinds: RelationKindMap,
  definition: RelationDefinition
): (RelationKindEntry & RelationKindFacts) | undefined {
  const name = kindNameOf(kinds, definition)
  const found = kinds.get(name)
  // The names of the map are names of kinds.
  return found && { kind: name as RelationKindName, ...found }
}

const deletions: ReadonlySet<unknown> = new Set<OnDelete>(['restrict', 'cascade', 'setNull'])

/** Called for relations without a target model. */
export type OnMissing = (error: RelationTargetMissing) => void

/** Called for each relation once it is resolved. */
export type OnResolved = (relation: ResolvedRelation) => void

/** A relation that waits until the models that it names have their data sources. */
interface Waiting {
  readonly from: ModelType
  readonly name: string
}

function throwMissing(error: RelationTargetMissing): never {
  throw error
}

/** Resolves the relations of all models into `model.relations`, each on first use. */
export class RelationTable implements Relations {
  /** Called once for each relation without a target model; throws by default. */
  onMissing: OnMissing = throwMissing
  readonly #registry: Registry
  readonly #listeners: OnResolved[] = []
  readonly #missing = new Set<string>()
  readonly #attached = new Set<ModelType>()
  readonly #waiting = new Map<ModelType, Waiting[]>()
  /** Relations to models that are not defined yet, or of a kind that a package may still add. */
  readonly #early: Waiting[] = []
  readonly #kinds = new Map<string, RelationKindEntry>(Object.entries(loopbackKinds))
  /** No more kinds can be added. */
  #knowsKinds = false

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** Calls `listener` with every relation, already resolved or resolved later. */
  follow(listener: OnResolved): void {
    this.#listeners.push(listener)
    for (const model of this.#models()) for (const relation of model.relations.values()) listener(relation)
  }

  /** The kind of a relation definition; undefined for a type that is not known, or not yet. */
  kindOf(definition: RelationDefinition): RelationKindFacts | undefined {
    return relationKindOf(this.#kinds, definition)
  }

  /** The kinds with their own type in definitions, by that type. */
  get types(): ReadonlyMap<string, RelationKindEntry> {
    return new Map([...this.#kinds].filter(([, { throughOf }]) => throughOf === undefined))
  }

  /**
   * Adds kinds to those of LoopBack. From now on an unknown type is an error, also in earlier definitions.
   * @throws {InvalidDefinition} a relation has no type that exists
   */
  addKinds(kinds: Readonly<Record<string, RelationKindEntry>>): void {
    for (const [name, kind] of Object.entries(kinds)) this.#kinds.set(name, kind)
    this.#knowsKinds = true
    for (const model of this.#models()) this.checkTypes(model)
    for (const relation of this.#early.splice(0)) this.#resolveOrWait(relation)
  }

  /**
   * Ends the registration of kinds.
   * @throws {InvalidDefinition} a relation has no type that exists
   */
  endKinds(): void {
    if (!this.#knowsKinds) this.addKinds({})
  }

  /** @throws {InvalidDefinition} a relation of the model has no type that exists */
  checkTypes(model: ModelType): void {
    for (const [name, { type }] of Object.entries(model.definition.relations ?? {})) this.#checkType(model, name, type)
  }

  #checkType({ name: model, file }: ModelType, name: string, type: string): void {
    if (!this.#knowsKinds || this.#kinds.has(type)) return
    const place = { model, ...(file !== undefined && { file }), key: `relations.${name}.type` }
    throw new InvalidDefinition(`unknown relation type "${type}"`, place)
  }

  /**
   * The relations of a model by name, including those declared since.
   * @throws whatever `onMissing` throws
   */
  of(model: ModelType): ReadonlyMap<string, ResolvedRelation> {
    if (this.#registry.sealed) return model.relations
    const written = Object.entries(model.definition.relations ?? {})
    for (const [name, definition] of written) if (!model.relations.has(name)) this.#resolve(model, name, definition)
    return model.relations
  }

  /**
   * Declares a relation in code, replacing one with the same name. It is resolved at once if the models that it names have
   * their data sources.
   * @throws {RegistrySealed} routes are mounted
   * @throws {InvalidDefinition} there is no such type of relations
   */
  declare(model: ModelType, name: string, definition: RelationDefinition): void {
    if (this.#registry.sealed)
      throw new RegistrySealed('the API is mounted, so relations can no longer change: add them before rest', {
        model: model.name,
        key: name
      })
    this.#checkType(model, name, definition.type)
    model.definition.relations = { ...model.definition.relations, [name]: definition }
    model.relations.delete(name)
    if (this.#attached.has(model)) this.#resolveOrWait({ from: model, name })
  }

  /**
   * Resolves whatever is possible once a model has its data source, adding keys: its own relations, then those of others
   * that waited for it. Relations to later, or missing, models wait.
   * @see LoopBack 3: loopback-datasource-juggler, lib/datasource.js, defineRelations
   * @throws {DefinitionError} a setting of a relation is wrong
   */
  attached(model: ModelType): void {
    if (this.#attached.has(model)) return
    this.#attached.add(model)
    const own = Object.keys(model.definition.relations ?? {}).map((name) => ({ from: model, name }))
    const others = this.#waiting.get(model) ?? []
    const early = this.#early.splice(0)
    this.#waiting.delete(model)
    for (const relation of [...own, ...others, ...early]) this.#resolveOrWait(relation)
  }

  /** Resolves the relations of all models. @throws whatever `onMissing` throws */
  complete(): void {
    this.endKinds()
    for (const model of this.#models()) this.attached(model)
    for (const model of this.#models()) this.of(model)
  }

  #resolveOrWait(relation: Waiting): void {
    const { from, name } = relation
    const definition = from.definition.relations?.[name]
    if (definition === undefined || from.relations.has(name)) return
    const named = [definition.model, definition.through].filter((each) => modelNameOf(each) !== undefined)
    const kind = this.kindOf(withoutBlanks(definition))
    const models = named.map((each) => findNamed(this.#registry, each, kind?.many === true))
    const later = models.find((model) => model !== undefined && !this.#attached.has(model))
    if (later !== undefined) this.#waiting.set(later, [...(this.#waiting.get(later) ?? []), relation])
    else if (kind === undefined || models.includes(undefined)) this.#early.push(relation)
    else this.#resolve(from, name, definition)
  }

  #models(): ModelType[] {
    return this.#registry.names().map((name) => this.#registry.typeOf(name))
  }

  #resolve(from: ModelType, name: string, written: RelationDefinition): void {
    const definition = withoutBlanks(written)
    const found = relationKindOf(this.#kinds, definition)
    if (found === undefined) return
    const { resolve, throughOf: _, ...facts } = found
    const settings = relationSettings(from, name, definition)
    try {
      const keys = resolve({ registry: this.#registry, name, many: facts.many, from, definition, settings })
      const relation = { name, type: definition.type, from, settings, ...facts, ...keys }
      from.relations.set(name, relation)
      for (const listener of this.#listeners) listener(relation)
    } catch (error) {
      if (!(error instanceof RelationTargetMissing)) throw error
      this.#report(`${from.name}.${name}`, error)
    }
  }

  #report(name: string, error: RelationTargetMissing): void {
    if (this.#missing.has(name)) return
    this.onMissing(error)
    this.#missing.add(name)
  }
}

function pathOf(name: string, options: Readonly<Record<string, unknown>>): string {
  const { http } = options
  const path = isPlainObject(http) && typeof http['path'] === 'string' ? http['path'] : name
  return path.replace(/^\/+|\/+$/g, '')
}

/**
 * Reads the settings of a relation's definition besides its keys. @throws {InvalidRelation} a part of it is malformed
 */
function relationSettings(from: ModelType, name: string, definition: RelationDefinition): RelationSettings {
  const options: Readonly<Record<string, unknown>> = definition.options ?? {}
  const onDelete = definition['onDelete'] ?? options['onDelete']
  const place = { model: from.name, key: `relations.${name}` }
  if (onDelete !== undefined && !deletions.has(onDelete))
    throw new InvalidRelation('onDelete must be restrict, cascade or setNull', {
      ...place,
      key: `${place.key}.onDelete`
    })
  const methods = definition['methods'] ?? definition['scopeMethods']
  return {
    path: pathOf(name, options),
    scope: definition.scope,
    properties: copyProperties(definition.properties),
    invertProperties: options['invertProperties'] === true || definition['invertProperties'] === true,
    disableInclude: options['disableInclude'] === true,
    nestRemoting: options['nestRemoting'] === true,
    // The set above holds nothing else.
    onDelete: onDelete as OnDelete | undefined,
    methods: isPlainObject(methods) ? methods : {},
    options
  }
}

function isCopyFunction(value: unknown): value is Extract<CopyProperties, (...args: never[]) => unknown> {
  return typeof value === 'function'
}

/** Names of properties. LB3: values in place of names copy nothing, pinned by relations/scopes. */
function copyProperties(written: unknown): CopyProperties | undefined {
  if (isCopyFunction(written)) return written
  if (Array.isArray(written)) return written.filter((name) => typeof name === 'string')
  if (!isPlainObject(written)) return undefined
  const named = Object.entries(written).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(named)
}
