import type { Model, ModelRegistry } from '@modelwire/core'
import { definedModels } from '../definition/built-in-models.ts'
import { defineEmail, emailModel } from '../definition/email-model.ts'
import { findByName } from '../definition/model-list.ts'
import { createScriptDataSource, type DataSourceParts } from '../data-source/create-script-data-source.ts'
import { type ModelBuilder, modelBuilderOf } from '../data-source/model-builder.ts'
import type { ScriptDataSource } from '../data-source/script-data-source.ts'
import { defineScriptModel, readModelDefinition } from '../definition/define-script-model.ts'
import { refusedClass } from '../../script-members.ts'
import { configureModel } from './configure-model.ts'

/** `app.registry`: all models, whether or not they are attached to the application. */
export interface ScriptRegistry {
  readonly Model: unknown
  readonly PersistedModel: unknown
  readonly modelBuilder: ModelBuilder
  readonly defaultDataSources: Record<string, unknown>
  readonly findModel: (name: unknown) => unknown
  readonly getModel: (name: unknown) => unknown
  readonly getModelByType: (name: unknown) => unknown
  readonly createModel: (name: unknown, properties?: unknown, settings?: unknown) => typeof Model
  readonly configureModel: (model: unknown, config: unknown) => void
  readonly createDataSource: (name?: unknown, settings?: unknown) => ScriptDataSource
  /** A data source in memory; the same one for the same name. */
  readonly memory: (name?: string) => ScriptDataSource
}

/** The built-in models that code can access by name though no file names them. */
export const builtInNames: readonly string[] = [
  ...[...definedModels].filter((name) => !name.startsWith('OAuth')),
  emailModel.name
]

/** A built-in model; `Email` is defined on first use, until routes are mounted. */
export function builtInModel(registry: ModelRegistry, name: string): unknown {
  if (name === emailModel.name && registry.find(name) === undefined && !registry.sealed) defineEmail(registry)
  return registry.find(name)?.modelClass ?? refusedClass(`loopback.${name}`, 'name the model in model-config.json')
}

function findModel(registry: ModelRegistry, name: unknown): unknown {
  if (typeof name === 'function') return name
  const key = String(name)
  return (
    (registry.latest(key) ?? findByName(registry, key))?.modelClass ??
    (builtInNames.includes(key) && !registry.sealed ? builtInModel(registry, key) : undefined)
  )
}

/** The first model that extends another one, else that one. */
function findByType(registry: ModelRegistry, type: unknown): unknown {
  const root = typeof type === 'string' ? (registry.latest(type)?.modelClass ?? registry.get(type)) : type
  const classes = registry.names().map((name) => registry.latest(name)?.modelClass ?? registry.get(name))
  return classes.find(({ prototype }) => typeof root === 'function' && prototype instanceof root) ?? root
}

/**
 * Creates `app.registry`.
 * @see LoopBack 3: loopback, lib/registry.js
 */
export function createScriptRegistry(parts: DataSourceParts): ScriptRegistry {
  const registry = parts.registry()
  const inMemory = new Map<string, ScriptDataSource>()
  return {
    get Model() {
      return registry.get('Model')
    },
    get PersistedModel() {
      return registry.get('PersistedModel')
    },
    modelBuilder: modelBuilderOf(registry),
    defaultDataSources: {},
    findModel: (name) => findModel(registry, name),
    getModel: (name) => findModel(registry, name) ?? registry.get(String(name)),
    getModelByType: (type) => findByType(registry, type),
    createModel: (name, properties, settings) =>
      defineScriptModel(registry, readModelDefinition(name, properties, settings)),
    configureModel: (model, config) => configureModel(registry, model, config),
    createDataSource: (name, settings) => createScriptDataSource(parts, name, settings),
    memory: (name = 'default') => {
      const existing = inMemory.get(name) ?? createScriptDataSource(parts, { connector: 'memory' }, undefined)
      inMemory.set(name, existing)
      return existing
    }
  }
}
