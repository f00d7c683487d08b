import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import type { Model, ModelDefinition, ModelRegistry } from '@modelwire/core'
import type { DataSource } from '@modelwire/core/connector'
import { isPlainObject, type ModelType, registryOf, typeOfClass } from '@modelwire/core/plugin'
import { isFunction } from '../../callback-bridge.ts'
import { attachScriptModel } from '../model/attach-script-model.ts'
import { defineScriptModel, forgetModel, readModelDefinition } from '../model/define-script-model.ts'
import { type DefinitionView, definitionView, latestView } from '../model/definition-view.ts'
import { describeSample } from '../model/describe-sample.ts'
import { propertyViews } from '../model/property-view.ts'
import { hasRecords } from './connector-types.ts'

/** What scripts do with the models of a data source. */
export interface DataSourceModels {
  /** The classes of the models that are attached, by name. */
  readonly models: Readonly<Record<string, unknown>>
  readonly definitions: Readonly<Record<string, DefinitionView>>
  /** Defines a model and attaches it: on `PersistedModel` where the connector keeps records, else on `Model`. */
  readonly createModel: (name: unknown, properties?: unknown, settings?: unknown) => typeof Model
  /** Defines a model on `Model` unless its settings name a base, and attaches it. */
  readonly define: (name: unknown, properties?: unknown, settings?: unknown) => typeof Model
  /** Attaches a model, and gives its class. */
  readonly attach: (model: unknown) => unknown
  readonly setupDataAccess: (model: unknown) => unknown
  /** Defines a model by an object that shows what its records hold. */
  readonly buildModelFromInstance: (name: string, sample: unknown, options?: object) => typeof Model
  readonly defineProperty: (model: string, property: string, definition: unknown) => void
  /** Gives a model a property of the type of another one's id. */
  readonly defineForeignKey: (model: string, key: string, foreignModel: string, property?: string) => void
  /** Declares relations of a model, by name: `{ author: { type: 'belongsTo', model: 'Author' } }`. */
  readonly defineRelations: (model: unknown, relations?: unknown) => void
  /** Declares scopes of a model, by name. */
  readonly defineScopes: (model: unknown, scopes?: unknown) => void
  readonly getModel: (name: string) => unknown
  readonly getModelDefinition: (name: string) => DefinitionView | undefined
  readonly deleteModelByName: (name: string) => void
}

/** @throws {ScriptArgumentInvalid} it is not the class of a model */
function typeOf(model: unknown): ModelType {
  const type = typeOfClass(model)
  if (type !== undefined) return type
  throw new ScriptArgumentInvalid('only the class of a model can be attached to a data source')
}

const entriesOf = (value: unknown): [string, unknown][] => Object.entries(isPlainObject(value) ? value : {})

/** Calls `belongsTo` and the like, with the name of each relation and its long form. */
function declareRelations(model: unknown, relations: unknown): void {
  const type = typeOf(model)
  const { types } = registryOf(type).relations
  for (const [name, declaration] of entriesOf(relations)) {
    const kind: unknown = Reflect.get(Object(declaration), 'type')
    const declare: unknown = types.has(String(kind)) && Reflect.get(type.modelClass, String(kind))
    if (!isFunction(declare))
      throw new ScriptArgumentInvalid(`unknown type ${JSON.stringify(kind)} of the relation "${name}"`)
    declare.call(type.modelClass, name, declaration)
  }
}

function declareScopes(model: unknown, scopes: unknown): void {
  const { modelClass } = typeOf(model)
  const declare: unknown = Reflect.get(modelClass, 'scope')
  if (!isFunction(declare)) return
  for (const [name, scope] of entriesOf(scopes)) declare.call(modelClass, name, scope)
}

function addForeignKey(
  registry: ModelRegistry,
  [name, key, foreign, property]: readonly [string, string, string, (string | undefined)?]
): void {
  const target = registry.typeOf(foreign)
  const id = property ?? target.idProperty?.name
  const type: unknown = id === undefined ? undefined : propertyViews(target)[id]?.['type']
  if (!registry.typeOf(name).byName.has(key)) registry.defineProperty(name, key, { type: type ?? 'any' })
}

/**
 * The models of a data source as scripts define and find them.
 * @see LoopBack 3: loopback-datasource-juggler, lib/datasource.js, and loopback, lib/registry.js, createDataSource
 */
export function dataSourceModels(registry: ModelRegistry, dataSource: DataSource): DataSourceModels {
  const attached = (): ModelType[] =>
    registry
      .names()
      .filter((name) => [registry.latest(name), registry.find(name)].some((model) => model?.dataSource === dataSource))
      .flatMap((name) => registry.latest(name) ?? [])
  const attach = (model: unknown): unknown => {
    attachScriptModel(registry, typeOf(model), dataSource.name)
    return model
  }
  const define = (definition: ModelDefinition, base: string): typeof Model => {
    const modelClass = defineScriptModel(registry, { base, ...definition })
    attach(modelClass)
    return modelClass
  }
  return {
    get models() {
      return Object.fromEntries(attached().map(({ name, modelClass }) => [name, modelClass]))
    },
    get definitions() {
      return Object.fromEntries(attached().map((model) => [model.name, definitionView(model)]))
    },
    createModel: (...args) =>
      define(readModelDefinition(...spread(args)), hasRecords(dataSource) ? 'PersistedModel' : 'Model'),
    define: (...args) => define(readModelDefinition(...spread(args)), 'Model'),
    attach,
    setupDataAccess: attach,
    buildModelFromInstance: (name, sample, options = {}) =>
      define({ strict: false, ...options, name, properties: describeSample(sample) }, 'Model'),
    defineProperty: (model, property, definition) => registry.defineProperty(model, property, definition),
    defineForeignKey: (...args) => addForeignKey(registry, args),
    defineRelations: declareRelations,
    defineScopes: declareScopes,
    getModel: (name) => registry.latest(name)?.modelClass,
    getModelDefinition: (name) => latestView(registry, name),
    deleteModelByName: (name) => deleteModel(registry, dataSource, name)
  }
}

/** A model of another data source keeps its name, and so do built-in ones. */
function deleteModel(registry: ModelRegistry, dataSource: DataSource, name: string): void {
  if (registry.find(name)?.dataSource === dataSource) forgetModel(registry, name)
}

const spread = ([name, properties, settings]: readonly unknown[]): [unknown, unknown, unknown] => [
  name,
  properties,
  settings
]
