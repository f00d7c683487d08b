import {
  type HookContext,
  Model,
  type ModelDefinition,
  NotImplemented,
  type Observer,
  type RemotePhase
} from '@modelwire/core'
import { type DataSource, nameOfRecords } from '@modelwire/core/connector'
import { registryOf } from '@modelwire/core/plugin'
import { acceptCallback, callHook, isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { addCustomRule, addRules, isValid } from './validations-view.ts'
import {
  attachScriptModel,
  declareMethod,
  defineScriptModel,
  readModelDefinition
} from '../definition/define-script-model.ts'
import { addCallbackStyle } from './data-access.ts'
import { makeReplaceable } from '../../script-members.ts'
import { addModelMembers } from './model-members.ts'
import { eventsOf } from '../definition/model-events.ts'
import { initialize } from './old-hooks.ts'
import { addAccessors } from './record-accessors.ts'
import { addModelHook } from '../remoting/remote-hooks.ts'
import { settingsOf } from '../definition/free-keys.ts'
import { checkAccess } from './check-access.ts'
import type { ScriptApp } from '../application/script-app.ts'
import { type ModelBuilder, modelBuilderOf } from '../data-source/model-builder.ts'
import { dataSourceKey } from '../definition/data-source-handles.ts'
import type { ScriptRegistry } from '../application/script-registry.ts'
import { type DefinitionView, definitionView, propertyViews } from '../definition/definition-view.ts'
import { type ScriptDataSource, scriptDataSource } from '../data-source/script-data-source.ts'
import { beginScriptTransaction } from '../data-source/script-transaction.ts'
import { type SharedClass, sharedClassOf } from '../remoting/shared-class.ts'
import { ScriptArgumentInvalid } from '../../errors.ts'
import { modelNameOf } from './call-method.ts'

/** Scripts may observe with the same function several models: it keeps its one bridge, by which it can be removed. */
const bridges = new WeakMap<ScriptFunction, Observer>()

const typeNames: Readonly<Record<string, string>> = {
  string: 'String',
  text: 'Text',
  number: 'Number',
  integer: 'Number',
  boolean: 'Boolean',
  date: 'Date',
  dateString: 'DateString',
  buffer: 'Buffer',
  geopoint: 'GeoPoint',
  object: 'Object',
  nested: 'Object',
  any: 'Any',
  array: 'Array'
}

/**
 * The root of the models of a LoopBack application: the members of a model for model scripts and boot scripts, with
 * callback support. Every application has its own subclass, which knows the application.
 */
export class ScriptModel extends Model {
  /** The application; set on the class that `createScriptModel` creates. */
  static readonly app: ScriptApp
  static {
    addCallbackStyle(this)
    addModelMembers(this)
    makeReplaceable(this)
  }

  constructor(data?: Record<string, unknown>, source?: unknown) {
    super(data, source)
    addAccessors(this, data)
    initialize(this)
  }

  /** Sets `errors` and returns whether the record is valid; undefined if a rule is asynchronous. */
  isValid(callback?: unknown): boolean | undefined {
    return isValid(this, callback)
  }

  static get pluralModelName(): string {
    return this.modelType.plural
  }
  /** Its path, below the root of the API. */
  static get http(): { readonly path: string } {
    return { path: `/${this.modelType.httpPath}` }
  }
  /** All settings of the model's file and `model-config.json`. */
  static get settings(): ModelDefinition {
    return settingsOf(this.modelType)
  }
  static set settings(settings: ModelDefinition) {
    Object.assign(settingsOf(this.modelType), settings)
  }
  static get definition(): DefinitionView & { readonly modelBuilder: ModelBuilder } {
    return { ...definitionView(this.modelType), modelBuilder: modelBuilderOf(registryOf(this.modelType)) }
  }
  /** The remote methods so far. */
  static get sharedClass(): SharedClass {
    return sharedClassOf(this.modelType)
  }
  static get base(): unknown {
    return this.modelType.base?.modelClass
  }
  /** `app.registry`. */
  static get registry(): ScriptRegistry {
    return this.app.registry
  }
  /** Also set before the model is attached, for mixins. */
  static get dataSource(): ScriptDataSource | undefined {
    const { dataSource, definition } = this.modelType
    const registry = registryOf(this.modelType)
    const found: DataSource | undefined = dataSource ?? registry.dataSources.get(definition.dataSource ?? '')
    return found === undefined ? undefined : scriptDataSource(registry, found)
  }
  static getDataSource(): ScriptDataSource | undefined {
    return this.dataSource
  }
  static getIdName(): string | undefined {
    return this.modelType.idProperty?.name
  }
  /** The name of a property's type, as the name of its JavaScript constructor. */
  static getPropertyType(property: string): string | undefined {
    const type = this.modelType.byName.get(property)?.type
    if (type === undefined) return undefined
    return type.kind === 'model' ? type.model : typeNames[type.kind]
  }
  static readonly getApp: ScriptFunction = acceptCallback(function (this: typeof ScriptModel) {
    return Promise.resolve(this.app)
  })
  /** Runs a function with the application, as models of LoopBack's packages do. */
  static _runWhenAttachedToApp(run: (app: ScriptApp) => void): void {
    run(this.app)
  }
  /** Whether a client may call a method: `(token, modelId, method, [ctx,] callback)`. Scripts may replace it. */
  static checkAccess: ScriptFunction = checkAccess
  /** The `options` of a client's call. Scripts may replace it. */
  static createOptionsFromRemotingContext(context: { req?: { accessToken?: unknown } }): Record<string, unknown> {
    return { accessToken: context.req?.accessToken ?? null }
  }
  static forEachProperty(look: (name: string, property: unknown) => void): void {
    for (const [name, property] of Object.entries(propertyViews(this.modelType))) look(name, property)
  }
  /** Begins a transaction of the model's data source: `{ isolationLevel, timeout }`, or only the level. */
  static readonly beginTransaction: ScriptFunction = acceptCallback(async function (this: typeof ScriptModel, options) {
    const { modelType } = this
    const { dataSource, name } = modelType
    if (dataSource === undefined) throw new NotImplemented(`${name} has no data source`)
    return beginScriptTransaction(registryOf(modelType), dataSource, options)
  })
  static defineProperty(name: string, definition: unknown): void {
    this.modelType.registry.defineProperty(this.modelType, name, definition)
  }
  /** Defines a model that extends this one. It is not attached to a data source yet. */
  static extend(name: string, properties: unknown = {}, settings: unknown = {}): unknown {
    const definition = readModelDefinition(name, properties, settings)
    return defineScriptModel(registryOf(this.modelType), { ...definition, base: this.modelName }, this.modelType)
  }
  static attachTo(dataSource: unknown): void {
    attachScriptModel(registryOf(this.modelType), this.modelType, dataSourceKey(dataSource, this.modelName))
  }

  static remoteMethod(name: string, spec: unknown = {}): void {
    declareMethod(this.modelType, name, spec)
    emitMethodsChanged(this, 'remoteMethodAdded')
  }
  static disableRemoteMethodByName(name: string): void {
    this.modelType.methods.disable(name)
    emitMethodsChanged(this, 'remoteMethodDisabled', name)
  }
  /** As in version 2: the second argument is whether the method is static. */
  static disableRemoteMethod(name: string, isStatic: unknown): void {
    this.disableRemoteMethodByName(isStatic === true ? name : nameOfRecords(name))
  }

  static override observe(name: string, observer: Observer): void {
    super.observe(name, bridgeObserver(observer, name, this.app.warn))
  }
  static override removeObserver(name: string, observer: Observer): boolean {
    return super.removeObserver(name, bridgeObserver(observer, name, this.app.warn))
  }
  static beforeRemote(pattern: string, hook: unknown): void {
    addRemoteHook(this, 'before', pattern, hook)
  }
  static afterRemote(pattern: string, hook: unknown): void {
    addRemoteHook(this, 'after', pattern, hook)
  }
  static afterRemoteError(pattern: string, hook: unknown): void {
    addRemoteHook(this, 'error', pattern, hook)
  }

  static validatesPresenceOf(...args: unknown[]): void {
    addRules(this.modelType, 'presence', args)
  }
  static validatesAbsenceOf(...args: unknown[]): void {
    addRules(this.modelType, 'absence', args)
  }
  static validatesLengthOf(...args: unknown[]): void {
    addRules(this.modelType, 'length', args)
  }
  static validatesNumericalityOf(...args: unknown[]): void {
    addRules(this.modelType, 'numericality', args)
  }
  static validatesInclusionOf(...args: unknown[]): void {
    addRules(this.modelType, 'inclusion', args)
  }
  static validatesExclusionOf(...args: unknown[]): void {
    addRules(this.modelType, 'exclusion', args)
  }
  static validatesFormatOf(...args: unknown[]): void {
    addRules(this.modelType, 'format', args)
  }
  static validatesUniquenessOf(...args: unknown[]): void {
    addRules(this.modelType, 'uniqueness', args)
  }
  static validate(...args: unknown[]): void {
    addCustomRule(this.modelType, args, false)
  }
  static validateAsync(...args: unknown[]): void {
    addCustomRule(this.modelType, args, true)
  }
}

/** Hooks belong to the name of a model: those of a model whose name another one still has wait until it is added to the application. */
function addRemoteHook(model: typeof ScriptModel, phase: RemotePhase, pattern: string, hook: unknown): void {
  const { modelType, modelName, app } = model
  const registry = registryOf(modelType)
  const add = (): void => addModelHook({ registry, warn: app.warn }, modelName, phase, pattern, hook)
  if (registry.find(modelName) === modelType) add()
  else eventsOf(model).once('attached', add)
}

/** Emits to listeners of the model and of the application that its remote methods changed. */
function emitMethodsChanged(model: typeof ScriptModel, event: string, ...more: readonly unknown[]): void {
  const { sharedClass } = model
  for (const emitter of [eventsOf(model), model.app]) emitter.emit(event, sharedClass, ...more)
}

/** The root class of one application's models. */
export function createScriptModel(app: ScriptApp): typeof ScriptModel {
  return class extends ScriptModel {
    static override readonly app = app
  }
}

/**
 * An observer of core for one of a script, which may be `(ctx, next)`.
 * @throws {ScriptArgumentInvalid} it is not a function
 */
function bridgeObserver(observer: unknown, name: string, warn: (message: string) => void): Observer {
  if (!isFunction(observer)) throw new ScriptArgumentInvalid(`an observer of "${name}" must be a function`)
  const cached = bridges.get(observer)
  if (cached !== undefined) return cached
  const bridge: Observer = (context: HookContext) =>
    callHook(observer, undefined, [context], {
      onSecondAnswer: () =>
        warn(`an observer of "${name}" of ${modelNameOf(context.Model)} called back twice: only the first call counts`)
    })
  bridges.set(observer, bridge)
  return bridge
}
