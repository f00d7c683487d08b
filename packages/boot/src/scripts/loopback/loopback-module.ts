import type { ModelDefinition, ModelRegistry } from '@modelwire/core'
import { isPlainObject } from '@modelwire/core'
import { createRouter, type HandlerKind, loadExpress, markedHandler, type MountList } from '@modelwire/loopback-express'
import { findByName } from '../app/model-list.ts'

/** `app.registry`: models whether they are attached to the application or not. */
export interface ScriptRegistry {
  readonly findModel: (name: string) => unknown
  readonly getModel: (name: string) => unknown
  readonly getModelByType: (name: unknown) => unknown
  readonly createModel: (name: unknown, properties?: unknown, settings?: unknown) => unknown
}

/** `app.loopback`: what scripts use of the module `loopback`. */
export type LoopbackModule = ScriptRegistry & Readonly<Record<string, unknown>>

const handlerKinds: readonly HandlerKind[] = [
  'rest',
  'status',
  'token',
  'context',
  'favicon',
  'static',
  'urlNotFound',
  'errorHandler'
]

/** Makes `app.registry`. */
export function createScriptRegistry(registry: ModelRegistry): ScriptRegistry {
  return {
    findModel: (name) => findByName(registry, name)?.modelClass,
    getModel: (name) => findByName(registry, name)?.modelClass ?? registry.get(name),
    getModelByType: (type) => registry.get(typeof type === 'string' ? type : nameOf(type)),
    createModel: (name, properties, settings) => registry.define(modelDefinition(name, properties, settings))
  }
}

/** Makes `app.loopback`. */
export function createLoopbackModule(
  registry: ModelRegistry,
  mounts: MountList,
  currentContext: (() => unknown) | undefined
): LoopbackModule {
  const handlers = handlerKinds.map((kind) => [kind, (params?: unknown) => markedHandler(kind, params)] as const)
  const own = createScriptRegistry(registry)
  return {
    ...own,
    ...Object.fromEntries(handlers),
    ...(currentContext === undefined ? {} : { getCurrentContext: currentContext }),
    Router: () => createRouter(mounts),
    json: (options?: unknown) => loadExpress().json(options),
    urlencoded: (options?: unknown) => loadExpress().urlencoded(options),
    Model: registry.get('Model'),
    PersistedModel: registry.get('PersistedModel'),
    isServer: true,
    isBrowser: false
  }
}

function nameOf(type: unknown): string {
  return typeof type === 'function' && 'modelName' in type && typeof type.modelName === 'string'
    ? type.modelName
    : String(type)
}

/** The two ways of `createModel`: one object, or name, properties and settings. */
function modelDefinition(name: unknown, properties: unknown, settings: unknown): ModelDefinition {
  const given = isPlainObject(name)
    ? name
    : { ...(isPlainObject(settings) ? settings : {}), name, properties: properties ?? {} }
  return given as ModelDefinition // checked by the registry
}
