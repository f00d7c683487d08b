import type { Connector, Transaction } from './contract/connector.ts'
import type { DataSource } from './contract/data-source.ts'
import { type DataSourceErrorListener, DataSources, connectorFor } from './connector/data-sources.ts'
import { runTransaction, type TransactionOptions } from './connector/run-transaction.ts'
import { feedsOf } from './changes/change-feed.ts'
import { refuseChangeLogs } from './changes/change-log-of.ts'
import { changeBusOf, type HoldingBus } from './changes/held-changes.ts'
import { addProperty, compileModel } from './model/compile-model.ts'
import { checkNames, checkTypes } from './model/check-names.ts'
import { checkDefinition } from './definition/check-definition.ts'
import type { ModelDefinition } from './definition/model-definition.ts'
import { DuplicateModel, RegistrySealed, UnknownBaseModel, UnknownModel } from './definition/errors.ts'
import { fillDefaults } from '@modelwire/server'
import { attachModel } from './model/attach-model.ts'
import { bringMoreMethods } from './model/bring-methods.ts'
import { Model } from './model.ts'
import type { ModelClass } from './typed/model-class.ts'
import type { ModelType } from './contract/model-type.ts'
import { RelationTable } from './relations/relation-table.ts'
import {
  addOperationSource,
  operationSourcesOf,
  type Guard,
  type GuardSource,
  type Operation,
  type OperationSource
} from './operations/operation.ts'
import type { ChangeFeedLimits } from './limits/limits.ts'
import type { CallMethod, OfferMethod, Registry } from './contract/registry.ts'
import type { ModelConstructor } from './contract/model-instance.ts'
import { RemoteHooks } from './operations/remote-hooks.ts'
import { builtInMixins, type Mixin, wantedMixins } from './mixins/mixin-table.ts'
import { RegistrySeams } from './registry-seams.ts'
import { CoreOptionsSchema } from './options.ts'
import { type ProtocolVersion, type Rules, rulesOf } from './rules.ts'

/** The options of a registry. */
export interface RegistryOptions {
  /** Major version of the wire protocol. */
  readonly version?: ProtocolVersion
  /** Reproduces LoopBack's responses even where they are not useful, as listed in `docs/wire-protocol.md`. Set by `boot`. */
  readonly compat?: boolean
  /** Root class of all models. */
  readonly modelBase?: ModelConstructor
  readonly callMethod?: CallMethod
  readonly offerMethod?: OfferMethod
  /** Limits of what is kept for readers of change streams. */
  readonly changeStreams?: Partial<ChangeFeedLimits>
  /**
   * Called for properties whose type is neither built in nor a model: their values are not converted. Absent: they are
   * refused.
   */
  readonly onUnknownType?: (type: string, model: string, property: string) => void
  /** Called with errors that have no other recipient, such as those of change listeners. */
  readonly onError?: (error: unknown) => void
}

/** The default without `onError`: a warning of the process. Who made the change must not take it for one that failed. */
const warnOfError = (error: unknown): void =>
  process.emitWarning(error instanceof Error ? error : new Error(String(error)))

/** The source and the target of a definition. */
export interface DefinitionPlace {
  /** The file, for errors. */
  readonly file?: string
  /** The model that it extends, if its name is ambiguous. */
  readonly base?: ModelType | undefined
  /** Another model keeps the name until this one is adopted. */
  readonly isLater?: boolean
}

/**
 * All models and data sources of an application. Models are also properties of it, by name.
 * @example
 * ```ts
 * import { memory } from '@modelwire/connector-memory'
 * import { ModelRegistry } from '@modelwire/core'
 *
 * const registry = new ModelRegistry()
 * registry.addDataSource('db', memory())
 * const Note = registry.define({ name: 'Note', properties: { text: 'string' } })
 * registry.attach('Note', 'db')
 * console.log((await Note.create({ text: 'Buy milk' })).getId()) // 1
 * ```
 */
export class ModelRegistry extends RegistrySeams implements Registry {
  readonly version: ProtocolVersion
  readonly rules: Rules
  readonly callMethod: CallMethod
  /** Wraps a connector's method that returns a promise for use on models. */
  readonly offerMethod: OfferMethod
  readonly onUnknownType: RegistryOptions['onUnknownType']
  /** The class that all models extend. */
  readonly rootClass: ModelConstructor
  readonly remoteHooks: RemoteHooks = new RemoteHooks()
  readonly changes: HoldingBus
  readonly changeStreams: ChangeFeedLimits
  /** Resolves the relations of all models. */
  readonly relations: RelationTable = new RelationTable(this)
  readonly #models = new Map<string, ModelType>()
  /** Models defined in code under names that still belong to others. */
  readonly #later = new Map<string, ModelType>()
  readonly #dataSources = new DataSources()
  readonly #guards: GuardSource[] = []
  readonly #mixins = new Map<string, Mixin>(builtInMixins)
  readonly #completions: (() => void)[] = []
  #sealed = false

  constructor(options: RegistryOptions = {}) {
    super()
    const { version, compat, changeStreams } = fillDefaults(CoreOptionsSchema, options)
    this.version = version
    this.rules = rulesOf(version, compat)
    this.callMethod = options.callMethod ?? ((method, self, args) => method.apply(self, [...args]))
    this.offerMethod = options.offerMethod ?? ((method) => method)
    this.onUnknownType = options.onUnknownType
    this.changes = changeBusOf(this, options.onError ?? warnOfError)
    this.changeStreams = changeStreams
    const parent = (this.rootClass = options.modelBase ?? Model)
    const base = compileModel(this, { name: 'Model', base: null }, { base: undefined, parent })
    this.adopt(base)
    this.adopt(compileModel(this, { name: 'PersistedModel', base: 'Model' }, { base, parent }))
  }

  /**
   * Defines a model.
   * @param place the file that the definition comes from, for errors
   * @throws {DefinitionError} the definition is invalid; the subclass names the reason
   */
  define(definition: ModelDefinition, place: DefinitionPlace = {}): ModelClass {
    const { base: given, isLater = false, ...file } = place
    checkDefinition(definition, this.rules, file)
    this.#refuseWhenSealed(definition.name)
    const at = { model: definition.name, ...file }
    if (this.#models.has(definition.name) && !isLater)
      throw new DuplicateModel('a model with this name is already defined', at)
    const named = definition.base === null ? 'Model' : (definition.base ?? 'PersistedModel')
    const base = given ?? this.latest(named)
    if (base === undefined)
      throw new UnknownBaseModel(`the base model "${named}" is not defined`, { ...at, key: 'base' })
    const mixins = wantedMixins(definition, this.#mixins, this.rules, file)
    const model = compileModel(this, definition, { base, parent: base.modelClass, ...file })
    this.relations.checkTypes(model)
    if (isLater) this.#later.set(model.name, model)
    else this.adopt(model)
    for (const apply of mixins) apply(model.modelClass)
    // `ModelClass` describes the same class, with the type of its records filled in.
    return model.modelClass as unknown as ModelClass
  }

  /** Adds a mixin for models that are defined afterwards. */
  defineMixin(name: string, mixin: Mixin): void {
    this.#mixins.set(name, mixin)
  }

  /** Gives a model its name, replacing the previous one: it is the application's model from now on. */
  adopt(model: ModelType): void {
    const { name, modelClass } = model
    this.#refuseWhenSealed(name)
    const former = this.#models.get(name)
    this.#models.set(name, model)
    if (this.#later.get(name) === model) this.#later.delete(name)
    // A model named like a method of the registry is reachable through `get` alone.
    if (!(name in this) || Reflect.get(this, name) === former?.modelClass)
      Object.defineProperty(this, name, { value: modelClass, enumerable: true, configurable: true })
  }

  #refuseWhenSealed(model: string): void {
    if (this.#sealed)
      throw new RegistrySealed('the API is mounted: register plugins that change models before rest', { model })
  }

  /** Removes a model, so that another one can have its name. Models that extend it keep what they inherited. */
  remove(name: string): void {
    this.#refuseWhenSealed(name)
    const model = this.#models.get(name)
    this.#later.delete(name)
    if (model === undefined) return
    this.#models.delete(name)
    if (Reflect.get(this, name) === model.modelClass) Reflect.deleteProperty(this, name)
  }

  /** Adds a data source. The connector connects when the server becomes ready. */
  addDataSource(name: string, connector: Connector, settings: Readonly<Record<string, unknown>> = {}): DataSource {
    return this.watched(this.#dataSources.add(name, connectorFor(name, connector), settings))
  }

  /** Calls `listener` with errors of data sources outside of calls. */
  listenToDataSources(listener: DataSourceErrorListener): void {
    this.#dataSources.onError = listener
  }

  /**
   * Sets the data source of a model; null leaves it without one.
   * @throws {UnknownDataSource} there is none of this name
   */
  attach(of: string | ModelType, dataSourceName: string | null): void {
    const model = typeof of === 'string' ? this.typeOf(of) : of
    attachModel(model, dataSourceName === null ? undefined : this.#dataSources.named(dataSourceName, model.name))
  }

  /** Adds a property to a model after its definition, as mixins do. */
  defineProperty(of: string | ModelType, property: string, definition: unknown): void {
    const model = typeof of === 'string' ? this.typeOf(of) : of
    this.#refuseWhenSealed(model.name)
    addProperty(model, property, definition)
  }

  /** The compiled model, or undefined. */
  find(name: string): ModelType | undefined {
    return this.#models.get(name)
  }

  /** The latest model with this name, even if another one has the name until it is adopted; or undefined. */
  latest(name: string): ModelType | undefined {
    return this.#later.get(name) ?? this.#models.get(name)
  }

  /** The compiled model. @throws {UnknownModel} */
  typeOf(name: string): ModelType {
    const model = this.#models.get(name)
    if (model === undefined) throw new UnknownModel(`unknown model "${name}"`, { model: name })
    return model
  }

  /** The class of a model. @throws {UnknownModel} */
  get(name: string): ModelClass {
    // `ModelClass` describes the same class, with the type of its records filled in.
    return this.typeOf(name).modelClass as unknown as ModelClass
  }

  /** Names of all models except the built-in bases, in the order of their definition. */
  names(): string[] {
    return [...this.#models.keys()].filter((name) => name !== 'Model' && name !== 'PersistedModel')
  }

  get dataSources(): ReadonlyMap<string, DataSource> {
    return this.#dataSources
  }

  /** Whether a package guards calls. */
  get isGuarded(): boolean {
    return this.#guards.length > 0
  }

  /** The guards of one operation. Call it once no more of them can be added. */
  guardsOf(operation: Operation): readonly Guard[] {
    return this.#guards.flatMap((source) => source(operation) ?? [])
  }

  get operationSources(): readonly OperationSource[] {
    return operationSourcesOf(this)
  }

  /** Lets `source` choose the guard of every operation when routes are mounted. */
  addGuardSource(source: GuardSource): void {
    this.#refuseWhenSealed('')
    this.#guards.push(source)
  }

  /** Lets `source` add operations to every model. */
  addOperationSource(source: OperationSource): void {
    this.#refuseWhenSealed('')
    addOperationSource(this, source)
  }

  /** Runs `complete` before the registry is sealed: the last moment to add to definitions. */
  beforeSeal(complete: () => void): void {
    this.#refuseWhenSealed('')
    this.#completions.push(complete)
  }

  /**
   * Seals the definitions: every model named as a type must exist.
   * @throws {UnknownPropertyType} a property's type is neither built in nor a model
   * @throws {RelationTargetMissing} a relation leads to no model
   */
  seal(): void {
    if (this.#sealed) return
    for (const complete of this.#completions) complete()
    this.relations.complete()
    for (const model of this.#models.values()) checkTypes(model, (name) => this.#models.has(name))
    for (const model of this.#models.values()) checkNames(model)
    for (const model of this.#models.values()) model.methods.seal(model.name)
    this.remoteHooks.seal()
    this.#sealed = true
  }

  get sealed(): boolean {
    return this.#sealed
  }

  /** Opens all data sources that are not open yet. @throws {InvalidDefinition} a relation has no type that exists, or no package reads a log */
  async connect(): Promise<void> {
    this.relations.endKinds()
    refuseChangeLogs(this.#models.values(), this.readsChangeLogs)
    await this.#dataSources.connect()
    for (const model of this.#models.values()) bringMoreMethods(model, model.dataSource?.connector)
  }

  /** Settles once the data sources are open; undefined before opening starts, and afterwards. */
  get opening(): Promise<void> | undefined {
    return this.#dataSources.opening
  }

  /**
   * Runs `work`, and all operations that it calls, in one transaction; retried from its start on a conflict.
   * @throws {NotImplemented} the data source has no transactions
   */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options: TransactionOptions = {}
  ): Promise<Result> {
    return runTransaction({ dataSources: this.#dataSources, changes: this.changes }, work, options)
  }

  /** Closes all data sources. */
  async disconnect(): Promise<void> {
    feedsOf(this).close()
    await this.#dataSources.disconnect()
  }
}

/**
 * The registry of a model with the additional members of `ModelRegistry`, such as hooks, guards and sources of operations.
 * @throws {UnknownModel} the model belongs to a registry of another copy of this package
 */
export function registryOf({ registry, name }: Pick<ModelType, 'registry' | 'name'>): ModelRegistry {
  if (registry instanceof ModelRegistry) return registry
  throw new UnknownModel('the model belongs to a registry of another copy of @modelwire/core', { model: name })
}
