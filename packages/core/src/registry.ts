import type { Connector, Transaction } from './connector/connector.ts'
import type { DataSource } from './connector/data-source.ts'
import { runTransaction, type TransactionOptions } from './connector/run-transaction.ts'
import { localChangeBus } from './changes/change-bus.ts'
import { ChangeFeeds } from './changes/change-feed.ts'
import { holdingBus, type HoldingBus } from './changes/held-changes.ts'
import { addProperty } from './definition/add-property.ts'
import { checkTypes } from './definition/check-types.ts'
import { compileModel } from './definition/compile-model.ts'
import { checkDefinition } from './definition/check-definition.ts'
import type { ModelDefinition } from './definition/model-definition.ts'
import { DuplicateModel, RegistrySealed, UnknownBaseModel, UnknownDataSource, UnknownModel } from './errors.ts'
import { attachModel } from './model/attach-model.ts'
import { Model } from './model/model.ts'
import type { ModelClass } from './model/model-class.ts'
import type { ModelType } from './model/model-type.ts'
import type { Mount } from './operations/mount.ts'
import { RemoteHooks } from './operations/remote-hooks.ts'
import type { CallerCheck, Guard, GuardSource, Operation, OperationSource } from './operations/operation.ts'
import { builtInMixins, type Mixin } from './mixins/mixin-table.ts'
import { wantedMixins } from './mixins/wanted-mixins.ts'
import type { IncludeLoader, RelatedFilter } from './seams.ts'
import type { CallMethod, RegistryOptions } from './registry-options.ts'
import { versionRules, type VersionRules } from './version.ts'

/** All models and data sources of an application. Models are also properties of it, by name. */
export class ModelRegistry {
  readonly version: VersionRules
  readonly compat: boolean
  readonly callMethod: CallMethod
  /** The class that all models extend. */
  readonly rootClass: typeof Model
  readonly remoteHooks: RemoteHooks = new RemoteHooks()
  readonly changes: HoldingBus
  /** The numbered changes of each model, for those who follow them. */
  readonly feeds: ChangeFeeds
  /** Who says, while a long call goes on, whether its caller is still who it was. */
  readonly callerChecks: CallerCheck[] = []
  /** Where operations are answered over HTTP, in the order of their mounting. */
  readonly mounts: Mount[] = []
  /** Reads related records; undefined until `relations` installs one. */
  includeLoader: IncludeLoader | undefined
  /** Filters by related records; undefined until `relations` installs one. */
  relatedFilter: RelatedFilter | undefined
  /** Some model has an observer, so that calls tell who makes them. */
  observed = false
  readonly #models = new Map<string, ModelType>()
  readonly #dataSources = new Map<string, DataSource>()
  readonly #guards: GuardSource[] = []
  readonly #sources: OperationSource[] = []
  readonly #mixins = new Map<string, Mixin>(builtInMixins)
  readonly #connecting = new Map<DataSource, Promise<void>>()
  readonly #completions: (() => void)[] = []
  #sealed = false

  constructor(options: RegistryOptions = {}) {
    this.version = versionRules[options.version ?? 3]
    this.compat = options.compat ?? false
    this.callMethod = options.callMethod ?? ((method, self, args) => method.apply(self, [...args]))
    const onError = options.onError ?? rethrow
    this.changes = holdingBus(localChangeBus(onError, (name) => this.find(name)?.base?.name))
    this.feeds = new ChangeFeeds(options.changeStreams)
    const parent = options.modelBase ?? Model
    this.rootClass = parent
    const base = this.#add(compileModel(this, { name: 'Model', base: null }, { base: undefined, parent }))
    this.#add(compileModel(this, { name: 'PersistedModel', base: 'Model' }, { base, parent }))
  }

  /**
   * Defines a model.
   * @param place the file that the definition comes from, for errors
   * @throws {DefinitionError} one of its kinds says what is wrong with the definition
   */
  define(definition: ModelDefinition, place: { file?: string } = {}): ModelClass {
    checkDefinition(definition, this.version, place)
    this.#refuseWhenSealed(definition.name)
    if (this.#models.has(definition.name))
      throw new DuplicateModel('a model of this name is defined already', { model: definition.name, ...place })
    const base = definition.base === null ? 'Model' : (definition.base ?? 'PersistedModel')
    const baseType = this.#models.get(base)
    if (baseType === undefined)
      throw new UnknownBaseModel(`the base model "${base}" is not defined`, {
        model: definition.name,
        key: 'base',
        ...place
      })
    const mixins = wantedMixins(definition, this.#mixins, this.version, place)
    const model = this.#add(compileModel(this, definition, { base: baseType, parent: baseType.modelClass, ...place }))
    for (const apply of mixins) apply(model.modelClass)
    // `ModelClass` describes the same class, with the type of its records filled in.
    return model.modelClass as unknown as ModelClass
  }

  /** Makes a mixin known to the models that are defined afterwards. */
  defineMixin(name: string, mixin: Mixin): void {
    this.#mixins.set(name, mixin)
  }

  #add(model: ModelType): ModelType {
    this.#models.set(model.name, model)
    // A model named like a method of the registry is reachable through `get` alone.
    if (!(model.name in this)) Object.defineProperty(this, model.name, { value: model.modelClass, enumerable: true })
    return model
  }

  #refuseWhenSealed(model: string): void {
    if (this.#sealed)
      throw new RegistrySealed('routes are mounted: models and operations cannot change any more', { model })
  }

  /** Adds a data source. The connector is asked to connect when the server gets ready. */
  addDataSource(name: string, connector: Connector, settings: Readonly<Record<string, unknown>> = {}): DataSource {
    const dataSource = { name, connector, settings }
    this.#dataSources.set(name, dataSource)
    return dataSource
  }

  /** Gives a model its data source; null leaves it without one. @throws {UnknownDataSource} there is none of this name */
  attach(name: string, dataSourceName: string | null): void {
    const model = this.typeOf(name)
    const dataSource = dataSourceName === null ? undefined : this.#dataSources.get(dataSourceName)
    if (dataSourceName !== null && dataSource === undefined)
      throw new UnknownDataSource(`the data source "${dataSourceName}" is not configured`, {
        model: name,
        key: 'dataSource'
      })
    attachModel(model, dataSource)
  }

  /** Adds a property to a model after its definition, as mixins do. */
  defineProperty(name: string, property: string, definition: unknown): void {
    this.#refuseWhenSealed(name)
    addProperty(this.typeOf(name), property, definition)
  }

  /** The compiled model, or undefined. */
  find(name: string): ModelType | undefined {
    return this.#models.get(name)
  }

  /** The compiled model. @throws {UnknownModel} */
  typeOf(name: string): ModelType {
    const model = this.#models.get(name)
    if (model === undefined) throw new UnknownModel(`no model is named "${name}"`, { model: name })
    return model
  }

  /** The class of a model. @throws {UnknownModel} */
  get(name: string): ModelClass {
    // `ModelClass` describes the same class, with the type of its records filled in.
    return this.typeOf(name).modelClass as unknown as ModelClass
  }

  /** Names of all models but the built-in bases, in the order of their definition. */
  names(): string[] {
    return [...this.#models.keys()].filter((name) => name !== 'Model' && name !== 'PersistedModel')
  }

  get dataSources(): ReadonlyMap<string, DataSource> {
    return this.#dataSources
  }

  /** Somebody guards calls. */
  get isGuarded(): boolean {
    return this.#guards.length > 0
  }

  /** The guards of one operation. Ask when no more of them can be added. */
  guardsOf(operation: Operation): readonly Guard[] {
    return this.#guards.flatMap((source) => source(operation) ?? [])
  }

  get operationSources(): readonly OperationSource[] {
    return this.#sources
  }

  /** Asks `guard` before every call from outside. */
  addGuard(guard: Guard): void {
    this.addGuardSource(() => guard)
  }

  /** Lets `source` choose the guard of every operation when routes are mounted. */
  addGuardSource(source: GuardSource): void {
    this.#refuseWhenSealed('')
    this.#guards.push(source)
  }

  /** Lets `source` add operations to every model. */
  addOperationSource(source: OperationSource): void {
    this.#refuseWhenSealed('')
    this.#sources.push(source)
  }

  /** Runs `complete` before the registry is sealed: the last moment to add to definitions. */
  beforeSeal(complete: () => void): void {
    this.#refuseWhenSealed('')
    this.#completions.push(complete)
  }

  /**
   * Ends the time of definitions: every type that names a model must lead to one.
   * @throws {UnknownPropertyType} a property's type is neither built in nor a model
   */
  seal(): void {
    if (this.#sealed) return
    for (const complete of this.#completions) complete()
    for (const model of this.#models.values()) checkTypes(model, (name) => this.#models.has(name))
    this.remoteHooks.seal()
    this.#sealed = true
  }

  get sealed(): boolean {
    return this.#sealed
  }

  /** Opens all data sources that are not open yet. */
  async connect(): Promise<void> {
    await Promise.all(
      Array.from(this.#dataSources.values(), (dataSource) => {
        const connecting = this.#connecting.get(dataSource) ?? dataSource.connector.connect()
        this.#connecting.set(dataSource, connecting)
        return connecting
      })
    )
  }

  /**
   * Runs `work`, and all operations that it calls, in one transaction: again from its start where the database asks for it.
   * @throws {NotImplemented} the data source has no transactions
   */
  async transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options: TransactionOptions = {}
  ): Promise<Result> {
    return runTransaction({ dataSources: this.#dataSources, changes: this.changes }, work, options)
  }

  /** Closes all data sources. */
  async disconnect(): Promise<void> {
    this.#connecting.clear()
    this.feeds.close()
    await Promise.all(Array.from(this.#dataSources.values(), (dataSource) => dataSource.connector.disconnect()))
  }
}

function rethrow(error: unknown): never {
  throw error
}
