import { attachAuthModels } from '../../access/attach-auth-models.ts'
import { createAuthorization, type ScriptAuthorization } from '../../access/script-authorization.ts'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Connector, ModelRegistry } from '@modelwire/core'
import { isPlainObject } from '@modelwire/core'
import type { AppServer } from '../../application/app-server.ts'
import type { WantedAddress } from '../../application/listen-arguments.ts'
import type { AppSettings } from '../../config/app-settings.ts'
import type { ScriptFunction } from '../../callback-bridge.ts'
import { ScriptArgumentInvalid } from '../../errors.ts'
import {
  createLoopbackModule,
  createScriptRegistry,
  type LoopbackModule,
  type ScriptRegistry
} from '../loopback/loopback-module.ts'
import { createModelList, findByName, type ModelList, scriptNames } from './model-list.ts'
import { attachScriptModel } from '../model/attach-script-model.ts'
import { eventsOf } from '../model/model-events.ts'
import { createRemotes, type Remotes } from '../remoting/remotes.ts'
import { type ScriptDataSource, scriptDataSource } from '../data-source/script-data-source.ts'
import { type AppMounts, expressMembers, mount } from '@modelwire/loopback-express'

/** What the application object is made of. */
export interface ScriptAppParts {
  readonly registry: () => ModelRegistry
  readonly settings: AppSettings
  readonly mounts: AppMounts
  /** Makes the connector of a data source that a script adds. */
  readonly createConnector: (name: string, settings: Readonly<Record<string, unknown>>) => Connector
  /** Tells the log what is odd in the application's code. */
  readonly warn: (message: string) => void
  /** `loopback.getCurrentContext`, where there is one. */
  readonly currentContext: (() => unknown) | undefined
  /** Adds what the framework object has in this version alone. */
  readonly completeLoopback: (loopback: LoopbackModule) => LoopbackModule
  readonly appServer: AppServer
}

/** The application that boot scripts and components are given. */
export interface ScriptApp extends EventEmitter {
  readonly models: ModelList
  readonly dataSources: Readonly<Record<string, ScriptDataSource>>
  readonly datasources: Readonly<Record<string, ScriptDataSource>>
  readonly registry: ScriptRegistry
  readonly loopback: LoopbackModule
  /** Boot scripts still run. */
  booting: boolean
  /** A script asked for access control. */
  isAuthEnabled: boolean
  get: (name: string, ...handlers: unknown[]) => unknown
  set: (name: string, value: unknown) => ScriptApp
  enable: (name: string) => ScriptApp
  disable: (name: string) => ScriptApp
  enabled: (name: string) => boolean
  disabled: (name: string) => boolean
  model: (model: unknown, config?: unknown) => unknown
  dataSource: (name: string, settings: unknown) => ScriptDataSource
  remotes: () => Remotes
  /** Who says what clients may call. */
  readonly authorization: ScriptAuthorization
  readonly warn: (message: string) => void
  enableAuth: (options?: unknown) => void
  use: (...args: unknown[]) => ScriptApp
  (request: IncomingMessage, response: ServerResponse, next?: unknown): void
  handle: (request: IncomingMessage, response: ServerResponse, next?: unknown) => void
  start: () => unknown
  listen: (...args: unknown[]) => Server
  /** Where a script told it to listen. */
  readonly wantedAddress: WantedAddress | undefined
  [express: string]: unknown
}

/** Makes the application object of scripts. Its registry may come later than the object itself. */
export function createScriptApp(parts: ScriptAppParts): ScriptApp {
  const { appServer } = parts
  const authorization = createAuthorization()
  const callable = callableEmitter((request, response, next) => app.handle(request, response, next))
  const app = Object.assign(callable, settingsMembers(parts), expressMembers(parts.mounts), {
    handle: appServer.handle,
    listen: (...args: unknown[]) => appServer.listen(args),
    start: () => app.listen(),
    booting: true,
    isAuthEnabled: false,
    warn: parts.warn,
    authorization,
    remotes: once(() =>
      createRemotes({
        registry: parts.registry(),
        warn: parts.warn,
        authorization,
        isAuthEnabled: () => app.isAuthEnabled
      })
    ),
    model: (model: unknown, config?: unknown) => configureModel(app, parts, model, config),
    dataSource: (name: string, settings: unknown) => addDataSource(parts, name, settings),
    enableAuth: (options?: unknown) => {
      app.isAuthEnabled = true
      attachAuthModels(parts.registry(), options)
    }
  }) as unknown as ScriptApp // the getters below complete it
  return defineRegistryMembers(app, parts)
}

type Handle = (request: IncomingMessage, response: ServerResponse, next?: unknown) => void

/** A function that is an emitter of events as well, as applications of Express are. */
function callableEmitter(handle: Handle): Handle & EventEmitter {
  const members = Object.getOwnPropertyDescriptors(EventEmitter.prototype)
  const { constructor: _constructor, ...others } = members
  const callable = Object.defineProperties((...args: Parameters<Handle>) => handle(...args), others)
  const emitter = callable as Handle & EventEmitter // it has the members of one now
  emitter.setMaxListeners(0)
  return emitter
}

function defineRegistryMembers(app: ScriptApp, parts: ScriptAppParts): ScriptApp {
  const { registry, mounts, currentContext, completeLoopback } = parts
  const getters: Readonly<Record<string, () => unknown>> = {
    wantedAddress: parts.appServer.wantedAddress,
    models: once(() => createModelList(registry())),
    dataSources: () => dataSourcesOf(registry()),
    datasources: () => dataSourcesOf(registry()),
    registry: once(() => createScriptRegistry(registry())),
    request: () => mounts.host.application().request,
    response: () => mounts.host.application().response,
    loopback: once(() => completeLoopback(createLoopbackModule(registry(), mounts, currentContext)))
  }
  for (const [name, get] of Object.entries(getters)) Object.defineProperty(app, name, { get, enumerable: true })
  return app
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

function settingsMembers({ settings, mounts }: ScriptAppParts): Record<string, ScriptFunction> {
  const set = function (this: unknown, name: unknown, value: unknown): unknown {
    settings.set(String(name), value)
    return this
  }
  return {
    get(this: unknown, name: unknown, ...handlers: unknown[]) {
      if (handlers.length === 0) return settings.get(String(name)) ?? mounts.host.setting(String(name))
      mount(mounts, 'get', [name, ...handlers])
      return this
    },
    set,
    enable(this: unknown, name) {
      return set.call(this, name, true)
    },
    disable(this: unknown, name) {
      return set.call(this, name, false)
    },
    enabled: (name) => Boolean(settings.get(String(name))),
    disabled: (name) => !settings.get(String(name))
  }
}

function dataSourcesOf(registry: ModelRegistry): Record<string, ScriptDataSource> {
  const named = [...registry.dataSources].flatMap(([name, dataSource]) => {
    const view = scriptDataSource(registry, dataSource)
    return [name, ...scriptNames(name)].map((key) => [key, view] as const)
  })
  return Object.fromEntries(named)
}

/** `app.model(Model, { dataSource, public })`. The model hears of it. */
function configureModel(app: ScriptApp, { registry }: ScriptAppParts, model: unknown, config: unknown): unknown {
  const name = typeof model === 'string' ? model : readName(model)
  const type = name === undefined ? undefined : findByName(registry(), name)
  if (type === undefined) throw new ScriptArgumentInvalid('app.model needs a model or the name of one')
  const { dataSource, public: isPublic } = isPlainObject(config) ? config : {}
  if (typeof isPublic === 'boolean' || type.definition.public === undefined) type.definition.public = isPublic !== false
  const wanted = isPlainObject(dataSource) ? dataSource['name'] : dataSource
  if (typeof wanted === 'string') attachScriptModel(registry(), type.name, wanted)
  eventsOf(type.modelClass).emit('attached', app)
  return type.modelClass
}

function readName(model: unknown): string | undefined {
  return typeof model === 'function' && 'modelName' in model && typeof model.modelName === 'string'
    ? model.modelName
    : undefined
}

function addDataSource(
  { registry, createConnector }: ScriptAppParts,
  name: string,
  settings: unknown
): ScriptDataSource {
  const given = isPlainObject(settings) ? settings : {}
  return scriptDataSource(registry(), registry().addDataSource(name, createConnector(name, given), given))
}
