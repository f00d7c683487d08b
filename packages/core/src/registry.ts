import type { Connector } from './connector/connector.ts'
import type { DataSource } from './connector/data-source.ts'
import { localChangeBus, type ChangeBus } from './changes/change-bus.ts'
import { compileModel } from './definition/compile-model.ts'
import { checkDefinition } from './definition/check-definition.ts'
import { expandProperty } from './definition/inherit-definition.ts'
import type { ModelDefinition } from './definition/model-definition.ts'
import {
  DuplicateModel,
  RegistrySealed,
  UnknownBaseModel,
  UnknownDataSource,
  UnknownMixin,
  UnknownModel,
  UnknownPropertyType
} from './errors.ts'
import { attachModel, setProperties } from './model/attach-model.ts'
import { Model } from './model/model.ts'
import type { ModelClass } from './model/model-class.ts'
import type { ModelType } from './model/model-type.ts'
import type { PropertyType } from './model/property-type.ts'
import { RemoteHooks } from './operations/remote-hooks.ts'
import type { Guard, OperationSource } from './operations/operation.ts'
import { builtInMixins, type Mixin } from './mixins/mixin-table.ts'
import type { IncludeLoader } from './seams.ts'
import { compileProperty } from './values/compile-type.ts'
import { isPlainObject } from './values/clone-plain.ts'
import type { ValueType } from './values/value-type.ts'
import { versionRules, type ProtocolVersion, type VersionRules } from './version.ts'

/** Calls a method of a model on behalf of a client. `boot` replaces it to speak to callback-style functions. */
export type CallMethod = (method: (...args: unknown[]) => unknown, self: unknown, args: readonly unknown[]) => unknown

/** How a registry behaves. */
export interface RegistryOptions {
  /** Major version of the wire protocol. Default 3. */
  readonly version?: ProtocolVersion
  /**
   * Answers like LoopBack also where its answers help nobody: errors that LoopBack sends without `code` have none, only the
   * first of several operators on one property counts, dates in `inq` match nothing. Default false; `boot` sets it.
   */
  readonly compat?: boolean
  /** Root class of all models. */
  readonly modelBase?: typeof Model
  readonly callMethod?: CallMethod
  /** Hears of errors that have nowhere else to go, such as those of change listeners. */
  readonly onError?: (error: unknown) => void
}

/** All models and data sources of an application. Models are also properties of it, by name. */
export class ModelRegistry {
  readonly version: VersionRules
  readonly compat: boolean
  readonly callMethod: CallMethod
  /** The class that all models extend. */
  readonly rootClass: typeof Model
  readonly remoteHooks: RemoteHooks = new RemoteHooks()
  readonly changes: ChangeBus
  /** Reads related records; undefined until `relations` installs one. */
  includeLoader: IncludeLoader | undefined
  /** Some model has an observer, so that calls tell who makes them. */
  observed = false
  readonly #models = new Map<string, ModelType>()
  readonly #dataSources = new Map<string, DataSource>()
  readonly #guards: Guard[] = []
  readonly #sources: OperationSource[] = []
  readonly #mixins = new Map<string, Mixin>(builtInMixins)
  #sealed = false

  constructor(options: RegistryOptions = {}) {
    this.version = versionRules[options.version ?? 3]
    this.compat = options.compat ?? false
    this.callMethod = options.callMethod ?? ((method, self, args) => method.apply(self, [...args]))
    this.changes = localChangeBus(
      options.onError ??
        ((error) => {
          throw error
        })
    )
    const root = options.modelBase ?? Model
    this.rootClass = root
    this.#add(compileModel(this, { name: 'Model', base: null }, undefined, root))
    this.#add(compileModel(this, { name: 'PersistedModel', base: 'Model' }, this.#models.get('Model'), root))
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
    // `ModelClass` describes the same class, with the type of its records filled in.
    const model = this.#add(compileModel(this, definition, baseType, baseType.modelClass))
    this.#applyMixins(model, definition, place)
    return model.modelClass as unknown as ModelClass
  }

  /** Applies a model's own mixins; those of its base work through inheritance. */
  #applyMixins(model: ModelType, definition: ModelDefinition, place: { file?: string }): void {
    for (const [name, options] of Object.entries(definition.mixins ?? {})) {
      if (options === false) continue
      const mixin = this.#mixins.get(name)
      if (mixin !== undefined) mixin(model.modelClass, isPlainObject(options) ? options : {})
      else if (!this.version.ignoresUnknownMixins)
        throw new UnknownMixin(`no mixin is named "${name}"`, { model: model.name, key: `mixins.${name}`, ...place })
    }
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
    const model = this.typeOf(name)
    const expanded = expandProperty(definition)
    model.definition.properties[property] = expanded
    const compiled = compileProperty(property, expanded, {
      model: name,
      key: `properties.${property}`,
      dottedNames: this.version.dottedNames
    })
    setProperties(model, [...model.properties.filter((known) => known.name !== property), compiled])
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

  get guards(): readonly Guard[] {
    return this.#guards
  }

  get operationSources(): readonly OperationSource[] {
    return this.#sources
  }

  /** Asks `guard` before every call from outside. */
  addGuard(guard: Guard): void {
    this.#refuseWhenSealed('')
    this.#guards.push(guard)
  }

  /** Lets `source` add operations to every model. */
  addOperationSource(source: OperationSource): void {
    this.#refuseWhenSealed('')
    this.#sources.push(source)
  }

  /**
   * Ends the time of definitions: every type that names a model must lead to one.
   * @throws {UnknownPropertyType} a property's type is neither built in nor a model
   */
  seal(): void {
    if (this.#sealed) return
    for (const model of this.#models.values())
      for (const property of model.properties) this.#checkType(model, property, property.type)
    this.#sealed = true
  }

  get sealed(): boolean {
    return this.#sealed
  }

  #checkType(model: ModelType, property: PropertyType, type: ValueType): void {
    if (type.kind === 'array' && type.items !== undefined) this.#checkType(model, property, type.items)
    if (type.kind === 'nested') for (const below of type.properties) this.#checkType(model, below, below.type)
    if (type.kind === 'model' && !this.#models.has(type.model))
      throw new UnknownPropertyType(`"${type.model}" is neither a type nor a model`, {
        model: model.name,
        key: `properties.${property.name}`
      })
  }

  /** Opens all data sources. */
  async connect(): Promise<void> {
    await Promise.all(Array.from(this.#dataSources.values(), (dataSource) => dataSource.connector.connect()))
  }

  /** Closes all data sources. */
  async disconnect(): Promise<void> {
    await Promise.all(Array.from(this.#dataSources.values(), (dataSource) => dataSource.connector.disconnect()))
  }
}
