import { ScriptArgumentInvalid } from '../../errors.ts'
import { isFunction } from '../../callback-bridge.ts'
import {
  attachScriptModel,
  defineScriptModel,
  forgetModel,
  readModelDefinition
} from '../definition/define-script-model.ts'
import { type DefinitionView, definitionView, latestView, propertyViews } from '../definition/definition-view.ts'
import { describeSample } from '../definition/missing-members.ts'
import { hasRecords } from './script-connector.ts'
import type { Model, ModelDefinition, ModelRegistry } from '@modelwire/core'
import type { DataSource, ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { registryOf, typeOfClass } from '@modelwire/core/plugin'

/** The members of a data source for models. */
export interface DataSourceModels {
  /** The classes of the attached models, by name. */
  readonly models: Readonly<Record<string, unknown>>
  readonly definitions: Readonly<Record<string, DefinitionView>>
  /** Defines a model and attaches it: based on `PersistedModel` if the connector stores records, else on `Model`. */
  readonly createModel: (name: unknown, properties?: unknown, settings?: unknown) => typeof Model
  /** Defines a model and attaches it, based on `Model` unless its settings name a base. */
  readonly define: (name: unknown, properties?: unknown, settings?: unknown) => typeof Model
  /** Attaches a model, and returns its class. */
  readonly attach: (model: unknown) => unknown
  readonly setupDataAccess: (model: unknown) => unknown
  /** Defines a model from a sample object. */
  readonly buildModelFromInstance: (name: string, sample: unknown, options?: object) => typeof Model
  readonly defineProperty: (model: string, property: string, definition: unknown) => void
  /** Adds a property with the type of another model's id to a model. */
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
 * The models of a data source, as scripts define and find them.
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
