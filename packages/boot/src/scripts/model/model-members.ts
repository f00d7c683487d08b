import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import { EventEmitter } from 'node:events'
import { inspect } from 'node:util'
import type { Model, ModelRegistry } from '@modelwire/core'
import { type ModelType, type Operation, registryOf, shortName } from '@modelwire/core/plugin'
import { listOperations } from '@modelwire/rest'
import { acceptCallback, isFunction } from '../../callback-bridge.ts'
import { modelBuilderOf } from '../data-source/model-builder.ts'
import { refusedMember, refusedMembers } from '../refuse-member.ts'
import { ScriptValidationError } from '../loopback/validation-error.ts'
import { scriptDataSource } from '../data-source/script-data-source.ts'
import { isolationLevels } from '../data-source/isolation-levels.ts'
import { addCustomRule } from './add-rule.ts'
import { findByIds } from './find-by-ids.ts'
import { calledByLoopBack, missingOfRecords, missingStatics } from './missing-members.ts'
import { mixIn } from './mix-in.ts'
import { eventsOf } from './model-events.ts'
import { oldHookMembers } from './old-hooks.ts'
import { accessorsOf } from './record-accessors.ts'
import type { ScriptModel } from './script-model.ts'
import { validationsView } from './validations-view.ts'
import { recordData, relatedRecords } from './record-data.ts'

/** The members of emitters that classes of models have, so that every model is one of its own. */
function emitterMembers(): PropertyDescriptorMap {
  const names = Object.keys(EventEmitter.prototype).filter((name) => /^[a-z]/.test(name))
  const members = names.map((name) => {
    const value = function (this: object, ...args: unknown[]): unknown {
      const emitter = eventsOf(this)
      const method = Reflect.get(emitter, name) as (...args: unknown[]) => unknown // a name of its methods
      const answer = method.apply(emitter, args)
      return answer === emitter ? this : answer
    }
    return [name, { value, writable: true, configurable: true }] as const
  })
  return Object.fromEntries(members)
}

/** @throws {ScriptArgumentInvalid} the model has no such property */
function checkProperty({ name: model, byName }: ModelType, name: unknown): void {
  if (typeof name === 'string' && byName.has(name)) return
  throw new ScriptArgumentInvalid(`registerProperty: there is no property "${String(name)}"`, { model })
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
function refusedStatics(): PropertyDescriptorMap {
  const members = Object.entries(missingStatics).map(([name, replacement]) => {
    const refuse = refusedMember(`Model.${name}`, replacement)
    const set = function (this: typeof ScriptModel, value: unknown): void {
      setOwnMember(this, name, value)
      if (calledByLoopBack.has(name))
        this.app.warn(`${this.modelName}.${name} is not called, as LoopBack would do: ${replacement}`)
    }
    return [name, { get: () => refuse, set, configurable: true }] as const
  })
  return Object.fromEntries(members)
}

function setOwnMember(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true })
}

/** Lets scripts put a member of their own in place of one that is only read. */
export function makeReplaceable(target: object): void {
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(target))) {
    if (member.get === undefined || member.set !== undefined || member.configurable !== true) continue
    const set = function (this: object, value: unknown): void {
      setOwnMember(this, name, value)
    }
    Object.defineProperty(target, name, { ...member, set })
  }
}

/** Warns when a script replaces a predefined method once it is mounted: clients are answered by the one that was mounted. */
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
      warn(`${model.name}.${name} was replaced after the routes were mounted: clients are answered by the former one`)
  }
  Object.defineProperty(owner, member, { get: () => mounted, set, configurable: true })
}

/** The connector of a model's data source, as scripts see it. */
function connectorOf({ modelType }: typeof Model): unknown {
  const { dataSource } = modelType
  return dataSource && scriptDataSource(registryOf(modelType), dataSource).connector
}

interface ModelMembers {
  [name: string]: unknown
}

const statics: ModelMembers & ThisType<typeof Model> = {
  get validations() {
    return validationsView(this.modelType)
  },
  get modelBuilder() {
    return modelBuilderOf(registryOf(this.modelType))
  },
  getConnector() {
    return connectorOf(this)
  },
  findByIds: acceptCallback(function (this: unknown, ids, query, options) {
    return findByIds(this as typeof Model, ids, query ?? {}, options ?? {}) // called on a model
  }),
  lookupModel() {
    return this
  },
  isHiddenProperty(name: string) {
    return this.modelType.hidden.has(name)
  },
  isProtectedProperty(name: string) {
    return this.modelType.protected.has(name)
  },
  get getter() {
    return accessorsOf(this).getter
  },
  get setter() {
    return accessorsOf(this).setter
  },
  registerProperty(name: unknown) {
    checkProperty(this.modelType, name)
  },
  /** Scripts override it to add to models that extend this one. */
  setup() {
    return this
  },
  mixin(source: unknown, options?: unknown) {
    return mixIn(this, source, options)
  },
  all(...args: unknown[]) {
    const [filter, ...others] = args
    return (this.find as (...args: unknown[]) => unknown).call(this, filter, ...others) // with a callback or without
  },
  get http() {
    return { path: `/${this.modelType.httpPath}` }
  },
  get shared() {
    return this.modelType.definition.public === true
  },
  set shared(value) {
    Object.defineProperty(this, 'shared', { value, writable: true, configurable: true })
  },
  Transaction: isolationLevels,
  ValidationError: ScriptValidationError,
  /** The model's entry in `model-config.json`. */
  config: undefined,
  validatesDateOf(...names: unknown[]) {
    for (const name of names.filter((one) => typeof one === 'string'))
      addCustomRule(this.modelType, [name, dateRule(name)], false)
  },
  getUpdateOnlyProperties() {
    const { idProperty, forceId } = this.modelType
    return forceId && idProperty !== undefined ? [idProperty.name] : []
  },
  getMergePolicy(options?: { mergePolicy?: unknown }) {
    return options?.mergePolicy
  }
}

type Fields = Record<string, unknown>

const ofRecords: ModelMembers & ThisType<Model & { constructor: typeof Model }> = {
  /** Makes a property undefined, or null. */
  unsetAttribute(name: string, nullify?: unknown) {
    const fields = this as unknown as Fields // a record holds its properties
    fields[name] = nullify === true || this.constructor.modelType.persistUndefinedAsNull ? null : undefined
  },
  setAttribute(name: string, value: unknown) {
    const fields = this as unknown as Fields // a record holds its properties
    fields[name] = value
  },
  setId(value: unknown) {
    const { idProperty } = this.constructor.modelType
    const fields = this as unknown as Fields // a record holds its properties
    if (idProperty !== undefined) fields[idProperty.name] = value
  },
  getConnector() {
    return connectorOf(this.constructor)
  },
  getIdName() {
    return this.constructor.modelType.idProperty?.name
  },
  getDataSource() {
    return Reflect.get(this.constructor, 'dataSource') as unknown
  },
  getPropertyType(name: string) {
    const read: unknown = Reflect.get(this.constructor, 'getPropertyType')
    return typeof read === 'function' ? (read.call(this.constructor, name) as unknown) : undefined
  },
  get __data() {
    return recordData(this)
  },
  set __data(data: object) {
    Object.assign(recordData(this), data)
  },
  get __cachedRelations() {
    return relatedRecords(this)
  },
  /** Takes over the properties of an object. */
  fromObject(data: object) {
    Object.assign(this, data)
  },
  inspect() {
    return inspect(this.toObject())
  },
  ...refusedMembers('record', missingOfRecords)
}

/** Gives the root class of an application's models, and its records, what LoopBack's have besides data access. */
export function addModelMembers(root: typeof Model): void {
  const own = Object.getOwnPropertyDescriptors(statics)
  define(root, { ...emitterMembers(), ...own, ...oldHookMembers(), ...refusedStatics() })
  define(root.prototype, Object.getOwnPropertyDescriptors(ofRecords))
}

/** Defines members that do not show when a class is listed, and that scripts may replace. */
function define(target: object, members: PropertyDescriptorMap): void {
  for (const [name, member] of Object.entries(members))
    if (!Object.hasOwn(target, name)) Object.defineProperty(target, name, { ...member, enumerable: false })
}
