import { ScriptArgumentInvalid } from '../../errors.ts'
import { isFunction } from '../../callback-bridge.ts'
import { modelBuilderOf } from '../data-source/model-builder.ts'
import {
  callMember,
  installMembers,
  memberOf,
  type MemberRow,
  refusedMember,
  rowsFor,
  setOwnMember
} from '../../script-members.ts'
import { ScriptValidationError } from '../application/validation-error.ts'
import { scriptDataSource } from '../data-source/script-data-source.ts'
import { isolationLevels } from '../data-source/script-transaction.ts'
import { addCustomRule, validationsView } from './validations-view.ts'
import { calledByLoopBack, missingOfRecords, missingStatics } from '../definition/missing-members.ts'
import { eventsOf } from '../definition/model-events.ts'
import { oldHookMembers, oldHookNames } from './old-hooks.ts'
import { accessorsOf, readRaw, writeRaw } from './record-accessors.ts'
import type { ScriptModel } from './script-model.ts'
import { applyNamedMixin } from '../definition/named-mixins.ts'
import { EventEmitter } from 'node:events'
import { inspect } from 'node:util'
import type { Model, ModelRegistry } from '@modelwire/core'
import { isPlainObject } from '@modelwire/server'
import { type Operation, registryOf, stateOf, typeOf, typeOfClass } from '@modelwire/core/plugin'
import { type ModelType, shortName } from '@modelwire/core/connector'
import { listOperations } from '@modelwire/rest'

type Data = Record<string, unknown>

const fieldsOf = (record: Model): Data => record

const isThere = (record: Model, key: string | symbol): boolean => {
  const holder = holderOf(record, key)
  return holder !== undefined && Object.hasOwn(holder, key) && readRaw(holder, key) !== undefined
}

/** What to copy, and whether it replaces existing members. */
interface MixInOptions {
  readonly staticProperties?: boolean
  readonly instanceProperties?: boolean
  readonly override?: boolean
}

/** The members of emitters that classes of models have, so that every model is one of its own. */
const ofEmitters = rowsFor<object>(
  Object.keys(EventEmitter.prototype).filter((name) => /^[a-z]/.test(name)),
  (name) => [
    name,
    'method',
    (model, ...args) => {
      const emitter = eventsOf(model)
      const method = memberOf(emitter, name)
      const answer = isFunction(method) ? method.apply(emitter, args) : undefined
      return answer === emitter ? model : answer
    }
  ]
)

/** @throws {ScriptArgumentInvalid} the model has no such property */
function checkProperty({ name: model, byName }: ModelType, name: unknown): void {
  if (typeof name === 'string' && byName.has(name)) return
  throw new ScriptArgumentInvalid(`registerProperty: unknown property "${String(name)}"`, { model })
}

/** A rule that finds fault with what is neither a date nor reads as one. */
const dateRule = (name: string) =>
  function (this: Readonly<Record<string, unknown>>, fail: () => void): void {
    const value = this[name]
    if (value !== undefined && value !== null && Number.isNaN(new Date(String(value)).getTime())) fail()
  }

/**
 * Members whose call is refused. What a script puts in their place is its own; that nothing else calls it is reported
 * where LoopBack would.
 */
const refusedStatics = Object.entries(missingStatics).map(([name, advice]): MemberRow<typeof ScriptModel> => {
  const refuse = refusedMember(`Model.${name}`, advice)
  const write = (model: typeof ScriptModel, value: unknown): void => {
    setOwnMember(model, name, value)
    if (calledByLoopBack.has(name))
      model.app.warn(`${model.modelName}.${name} is not called, unlike in LoopBack: ${advice}`)
  }
  return [name, 'getter', () => refuse, write]
})

/** Warns if a script replaces a predefined method once it is mounted: clients still call the mounted one. */
export function warnOfLateMethods(registry: ModelRegistry, warn: (message: string) => void): void {
  const operations = registry.names().flatMap((name) => listOperations(registry.typeOf(name), undefined))
  for (const operation of operations)
    for (const member of [shortName(operation.name), ...operation.aliases]) watchMember(operation, member, warn)
}

function watchMember({ model, name, onInstance }: Operation, member: string, warn: (message: string) => void): void {
  const { modelClass, registry } = model
  const owner: object = onInstance ? modelClass.prototype : modelClass
  const mounted: unknown = Reflect.get(onInstance ? registry.rootClass.prototype : registry.rootClass, member)
  // The application's own function is looked up at each call.
  if (!isFunction(mounted) || Reflect.get(owner, member) !== mounted) return
  const set = function (this: object, value: unknown): void {
    setOwnMember(this, member, value)
    if (this === owner)
      warn(`${model.name}.${name} was replaced after the routes were mounted: clients still call the former one`)
  }
  Object.defineProperty(owner, member, { get: () => mounted, set, configurable: true })
}

/** The connector of a model's data source, as scripts see it. */
function connectorOf({ modelType }: typeof Model): unknown {
  const { dataSource } = modelType
  return dataSource && scriptDataSource(registryOf(modelType), dataSource).connector
}

const statics: readonly MemberRow<typeof Model>[] = [
  ['validations', 'replaceable', (model) => validationsView(model.modelType)],
  ['modelBuilder', 'replaceable', (model) => modelBuilderOf(registryOf(model.modelType))],
  ['getConnector', 'method', connectorOf],
  ['findByIds', 'promise', (model, ids, query, options) => findByIds(model, ids, query ?? {}, options ?? {})],
  ['lookupModel', 'chain', () => {}],
  ['isHiddenProperty', 'method', (model, name: string) => model.modelType.hidden.has(name)],
  ['isProtectedProperty', 'method', (model, name: string) => model.modelType.protected.has(name)],
  ['getter', 'replaceable', (model) => accessorsOf(model).getter],
  ['setter', 'replaceable', (model) => accessorsOf(model).setter],
  ['registerProperty', 'method', (model, name: unknown) => checkProperty(model.modelType, name)],
  // Scripts override it to add to models that extend this one.
  ['setup', 'chain', () => {}],
  ['mixin', 'method', mixIn],
  ['all', 'method', (model, ...args: unknown[]) => callMember(model, 'find', args)],
  [
    'shared',
    'getter',
    (model) => model.modelType.definition.public === true,
    (model, value) => setOwnMember(model, 'shared', value, false)
  ],
  ['Transaction', 'value', isolationLevels],
  ['ValidationError', 'value', ScriptValidationError],
  // The model's entry in `model-config.json`.
  ['config', 'value', undefined],
  ['validatesDateOf', 'method', addDateRules],
  ['getUpdateOnlyProperties', 'method', updateOnlyProperties],
  ['getMergePolicy', 'method', (_model, options?: { mergePolicy?: unknown }) => options?.mergePolicy]
]

const ofRecords: readonly MemberRow<Model>[] = [
  ['unsetAttribute', 'method', unsetAttribute],
  ['setAttribute', 'method', (record, name: string, value: unknown) => void Object.assign(record, { [name]: value })],
  ['setId', 'method', setId],
  ['getConnector', 'method', (record) => connectorOf(modelOf(record).modelClass)],
  ['getIdName', 'method', (record) => modelOf(record).idProperty?.name],
  ['getDataSource', 'method', (record) => memberOf(record.constructor, 'dataSource')],
  ['getPropertyType', 'method', (record, name: string) => callMember(record.constructor, 'getPropertyType', [name])],
  ['__data', 'getter', recordData, (record, data) => void Object.assign(recordData(record), data)],
  ['__cachedRelations', 'getter', relatedRecords],
  // Takes over the properties of an object.
  ['fromObject', 'method', (record, data: object) => void Object.assign(record, data)],
  ['inspect', 'method', (record) => inspect(record.toObject())],
  ...Object.entries(missingOfRecords).map(([name, advice]) => [name, 'refused', advice] as const)
]

/** Adds LoopBack's members besides data access to the root class of an application's models, and to its records. */
export function addModelMembers(root: typeof ScriptModel): void {
  const rows = [...ofEmitters, ...statics, ...oldHookMembers, ...refusedStatics]
  installMembers(root, rows, { owner: 'Model', keepsOwn: true })
  installMembers(root.prototype, ofRecords, { owner: 'record', keepsOwn: true })
}

/** Of records, and of the prototype that they share. */
const modelOf = (record: Model): ModelType => typeOfClass(record.constructor) ?? typeOf(record)

function addDateRules({ modelType }: typeof Model, ...names: unknown[]): void {
  for (const name of names.filter((one) => typeof one === 'string'))
    addCustomRule(modelType, [name, dateRule(name)], false)
}

function updateOnlyProperties({ modelType }: typeof Model): string[] {
  const { idProperty, forceId } = modelType
  return forceId && idProperty !== undefined ? [idProperty.name] : []
}

/** Makes a property undefined, or null. */
function unsetAttribute(record: Model, name: string, nullify?: unknown): void {
  const isNull = nullify === true || modelOf(record).persistUndefinedAsNull
  Object.assign(record, { [name]: isNull ? null : undefined })
}

function setId(record: Model, value: unknown): void {
  const { idProperty } = modelOf(record)
  if (idProperty !== undefined) Object.assign(record, { [idProperty.name]: value })
}

/**
 * `Model.findByIds(ids, query, options)`: the records of these ids, in their order unless the query has one.
 * @throws {ScriptArgumentInvalid} the ids are not a list, or the query is not an object
 * @see LoopBack 3: loopback-datasource-juggler, lib/dao.js, findByIds
 */
async function findByIds(
  model: typeof Model,
  ids: unknown,
  query: unknown = {},
  options: unknown = {}
): Promise<readonly Model[]> {
  if (!Array.isArray(ids))
    throw new ScriptArgumentInvalid('findByIds requires a list of ids', { model: model.modelName })
  if (!isPlainObject(query))
    throw new ScriptArgumentInvalid('the query of findByIds must be an object', { model: model.modelName })
  const id = model.modelType.idProperty?.name
  if (ids.length === 0 || id === undefined) return []
  const named = { [id]: { inq: ids } }
  const filter = { ...query, where: isPlainObject(query['where']) ? { and: [named, query['where']] } : named }
  const found = (await model.find(filter, isPlainObject(options) ? options : {})) as readonly Model[] // `find` gives records
  return 'order' in query && query['order'] !== undefined ? found : sortByIds(found, ids)
}

/** LB3: records without an id, as `fields` makes them, come last. */
function sortByIds(records: readonly Model[], ids: readonly unknown[]): readonly Model[] {
  const places = ids.map(String)
  const placeOf = (record: Model): number => {
    const place = places.indexOf(String(record.getId()))
    return place < 0 ? places.length : place
  }
  return records.toSorted((one, other) => placeOf(one) - placeOf(other))
}

function copyMembers(source: object, target: object, override: boolean): void {
  for (const name of Object.keys(source)) {
    const descriptor = Object.getOwnPropertyDescriptor(source, name)
    if (descriptor !== undefined && (override || !Object.hasOwn(target, name)))
      Object.defineProperty(target, name, descriptor)
  }
}

/**
 * `Model.mixin(name, options)` applies a mixin of the application; `Model.mixin(Class, options)` copies the members of a class, or of
 * an object, that the model has not, and the properties of a model.
 * @throws {UnknownMixin} no mixin has this name
 * @throws {ScriptArgumentInvalid} it is neither a name nor something that has members
 * @see LoopBack 3: loopback-datasource-juggler, lib/jutil.js, mixin
 */
function mixIn(model: typeof Model, source: unknown, options: unknown): unknown {
  if (typeof source === 'string') return applyNamedMixin(model.modelType, source, options)
  if ((typeof source !== 'object' && typeof source !== 'function') || source === null)
    throw new ScriptArgumentInvalid('mixin requires the name of a mixin, a class or an object', {
      model: model.modelName
    })
  const rawOptions: MixInOptions = isPlainObject(options) ? options : {}
  copyProperties(model, source)
  if (rawOptions.staticProperties !== false) copyMembers(source, model, rawOptions.override === true)
  const prototype: unknown = 'prototype' in source ? source.prototype : undefined
  if (rawOptions.instanceProperties !== false && typeof prototype === 'object' && prototype !== null)
    copyMembers(prototype, model.prototype, rawOptions.override === true)
  if (oldHookNames.some((name) => Object.hasOwn(model, name))) model.modelType.hooks.requireInstances()
  return model
}

function copyProperties({ modelType }: typeof Model, source: object): void {
  const properties = typeOfClass(source)?.definition.properties ?? {}
  for (const [name, property] of Object.entries(properties))
    if (!modelType.byName.has(name)) modelType.registry.defineProperty(modelType, name, property)
}

/** Related records that were included, by the names of their relations; what is put there is shown with the record. */
function relatedRecords(record: Model): Data {
  return (stateOf(record).related ??= {})
}

/** Where a record holds what goes by a name: among its related records, or its properties. */
function holderOf(record: Model, key: string | symbol): Data | undefined {
  if (typeof key !== 'string') return undefined
  const { type, related } = stateOf(record)
  return (related !== undefined && Object.hasOwn(related, key)) || type.relations.has(key)
    ? relatedRecords(record)
    : fieldsOf(record)
}

/**
 * `record.__data`: a record's properties and included records without its methods, hidden ones too. What is set or deleted there is
 * set or deleted in the record.
 */
function recordData(record: Model): Data {
  const read = (key: string | symbol): unknown => {
    const holder = holderOf(record, key)
    return holder !== undefined && Object.hasOwn(holder, key) ? readRaw(holder, key) : undefined
  }
  return new Proxy<Data>(
    {},
    {
      get: (_target, key) => read(key),
      set: (_target, key, value) => writeRaw(holderOf(record, key) ?? {}, key, value),
      has: (_target, key) => isThere(record, key),
      deleteProperty: (_target, key) => Reflect.deleteProperty(holderOf(record, key) ?? {}, key),
      ownKeys: () => {
        const names = [...Object.keys(record), ...Object.keys(stateOf(record).related ?? {})]
        return [...new Set(names)].filter((name) => isThere(record, name))
      },
      getOwnPropertyDescriptor: (_target, key) =>
        isThere(record, key) ? { value: read(key), enumerable: true, configurable: true, writable: true } : undefined
    }
  )
}
