import { ScriptArgumentInvalid } from '../../errors.ts'
import { isFunction } from '../../callback-bridge.ts'
import { applyNamedMixin, mixinsOf } from '../definition/named-mixins.ts'
import { defineScriptModel, forgetModel, readModelDefinition } from '../definition/define-script-model.ts'
import { type DefinitionView, definitionView, latestView } from '../definition/definition-view.ts'
import { refusedMembers } from '../../script-members.ts'
import { describeSample } from '../definition/missing-members.ts'
import type { Model, ModelRegistry } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/connector'

/** `Model.modelBuilder`: all models of an application, whatever their data source. */
export interface ModelBuilder {
  readonly models: Readonly<Record<string, unknown>>
  readonly definitions: Readonly<Record<string, DefinitionView>>
  readonly settings: Record<string, unknown>
  readonly defaultModelBaseClass: unknown
  readonly mixins: {
    readonly define: (name: string, mixin: unknown) => void
    readonly applyMixin: (model: typeof Model, name: string, options?: unknown) => unknown
  }
  readonly define: (name: unknown, properties?: unknown, settings?: unknown) => typeof Model
  readonly defineProperty: (model: string, property: string, definition: unknown) => void
  readonly extendModel: (model: string, properties: object) => void
  readonly getModel: (name: string) => unknown
  readonly getModelDefinition: (name: string) => DefinitionView | undefined
  readonly deleteModelByName: (name: string) => void
  readonly buildModelFromInstance: (name: string, sample: unknown, options?: object) => typeof Model
  readonly buildModels: (schemas: unknown) => Record<string, unknown>
  readonly [refused: string]: unknown
}

/** Members of LoopBack's model builders that are not there, with what to use. */
const replacements: Readonly<Record<string, string>> = {
  copyModel: 'extend the model under another name',
  defineValueType: 'declare the property as "object" or "any"',
  getSchemaName: 'name the model',
  resolveType: 'use Model.getPropertyType'
}

const made = new WeakMap<ModelRegistry, ModelBuilder>()

/** The models that were defined last under each name, the bases included. */
const allModels = (registry: ModelRegistry): ModelType[] =>
  ['Model', 'PersistedModel', ...registry.names()].flatMap((name) => registry.latest(name) ?? [])

function buildModels(registry: ModelRegistry, schemas: unknown): Record<string, unknown> {
  const built = [schemas].flat().map((schema) => {
    const definition = readModelDefinition(schema, undefined, undefined)
    return [definition.name, defineScriptModel(registry, { base: 'Model', ...definition })] as const
  })
  return Object.fromEntries(built)
}

function defineMixin(registry: ModelRegistry, name: string, mixin: unknown): void {
  if (!isFunction(mixin)) throw new ScriptArgumentInvalid(`the mixin "${name}" must be a function`)
  mixinsOf(registry).set(name, mixin)
  registry.defineMixin(name, (model, options) => void mixin(model, options))
}

/**
 * The model builder of an application; the same one every time.
 * @see LoopBack 3: loopback-datasource-juggler, lib/model-builder.js
 */
export function modelBuilderOf(registry: ModelRegistry): ModelBuilder {
  const cached = made.get(registry)
  if (cached !== undefined) return cached
  const find = (name: string) => latestView(registry, name)
  const builder: ModelBuilder = {
    ...refusedMembers('modelBuilder', replacements),
    get models() {
      return Object.fromEntries(allModels(registry).map(({ name, modelClass }) => [name, modelClass]))
    },
    get definitions() {
      return Object.fromEntries(allModels(registry).map((model) => [model.name, definitionView(model)]))
    },
    settings: {},
    get defaultModelBaseClass() {
      return registry.get('Model')
    },
    mixins: {
      define: (name, mixin) => defineMixin(registry, name, mixin),
      applyMixin: (model, name, options) => applyNamedMixin(model.modelType, name, options)
    },
    define: (name, properties, settings) =>
      defineScriptModel(registry, { base: 'Model', ...readModelDefinition(name, properties, settings) }),
    defineProperty: (model, property, definition) => registry.defineProperty(model, property, definition),
    extendModel: (model, properties) => {
      for (const [name, definition] of Object.entries(properties)) registry.defineProperty(model, name, definition)
    },
    getModel: (name) => registry.latest(name)?.modelClass,
    getModelDefinition: find,
    deleteModelByName: (name) => forgetModel(registry, name),
    buildModelFromInstance: (name, sample, options = {}) =>
      builder.define(name, describeSample(sample), { strict: false, ...options }),
    buildModels: (schemas) => buildModels(registry, schemas)
  }
  made.set(registry, builder)
  return builder
}
