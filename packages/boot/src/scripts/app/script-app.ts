import { listDataSources, dataSourceMembers } from './data-source-members.ts'
import { attachAuthModels } from '../../access/attach-auth-models.ts'
import { createAuthorization, type ScriptAuthorization } from '../../access/script-authorization.ts'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { ModelRegistry } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import type { AppServer } from '../../application/app-server.ts'
import type { WantedAddress } from '../../application/listen-arguments.ts'
import type { AppSettings } from '../../config/app-settings.ts'
import type { ScriptFunction } from '../../callback-bridge.ts'
import type { DataSourceParts } from '../data-source/create-script-data-source.ts'
import type { ScriptDataSource } from '../data-source/script-data-source.ts'
import type { MakeConnector } from '../loopback/connector-tokens.ts'
import { createLoopbackModule, type LoopbackModule } from '../loopback/loopback-module.ts'
import { createScriptRegistry, type ScriptRegistry } from '../loopback/script-registry.ts'
import { refusedMembers, type Replacements } from '../refuse-member.ts'
import { createModelList, type ModelList } from './model-list.ts'
import { modelMembers } from './model-members.ts'
import { settingsView } from './settings-view.ts'
import { createRemotes, type Remotes } from '../remoting/remotes.ts'
import { type AppMounts, expressMembers, mount } from '@modelwire/loopback-express'

/** What the application object is made of. */
export interface ScriptAppParts {
  readonly registry: () => ModelRegistry
  readonly settings: AppSettings
  readonly mounts: AppMounts
  /** Makes the connector of a data source that a script adds. */
  readonly createConnector: (name: string, settings: Readonly<Record<string, unknown>>) => Connector
  /** Logs a warning about the application's code. */
  readonly warn: (message: string) => void
  /** `loopback.getCurrentContext`, where there is one. */
  readonly currentContext: (() => unknown) | undefined
  /** Adds what the framework object has in this version alone. */
  readonly completeLoopback: (loopback: LoopbackModule) => LoopbackModule
  readonly appServer: AppServer
}

/** Methods of requests that Express knows and that are not answered here. */
const otherVerbs =
  'acl bind checkout connect copy link lock m-search merge mkactivity mkcalendar mkcol move notify propfind proppatch purge rebind report search source subscribe trace unbind unlink unlock unsubscribe'.split(
    ' '
  )

/** Members of LoopBack's application object that are not there, with what to use. */
export const missingOfApp: Replacements = {
  boot: 'use the module loopback-boot: boot(app, __dirname)',
  ...Object.fromEntries(
    otherVerbs.map((verb) => [verb, 'requests of this method are not answered: use app.use and look at req.method'])
  )
}

/** The application object for boot scripts and components. */
export interface ScriptApp extends EventEmitter {
  readonly models: ModelList
  readonly dataSources: Readonly<Record<string, ScriptDataSource>>
  readonly datasources: Readonly<Record<string, ScriptDataSource>>
  readonly registry: ScriptRegistry
  readonly loopback: LoopbackModule
  /** Boot scripts still run. */
  booting: boolean
  /** A script enabled access control. */
  isAuthEnabled: boolean
  get: (name: string, ...handlers: unknown[]) => unknown
  set: (name: string, value: unknown) => ScriptApp
  enable: (name: string) => ScriptApp
  disable: (name: string) => ScriptApp
  enabled: (name: string) => boolean
  disabled: (name: string) => boolean
  model: (model: unknown, config?: unknown) => unknown
  dataSource: (name: string, settings: unknown) => ScriptDataSource
  /** Connectors that code adds, by name. */
  readonly connectors: Readonly<Record<string, unknown>>
  /** Makes a connector known to the data sources that are made afterwards. */
  connector: (name: string, factory: unknown) => void
  /** The classes of the public models by name. */
  remoteObjects: () => Record<string, unknown>
  /** The REST API as a handler that is mounted by `app.use`. */
  handler: (type: unknown, options?: unknown) => object
  deleteModelByName: (name: string) => void
  /** The settings as an object. */
  readonly settings: Record<string, unknown>
  /** Where the application is mounted. */
  readonly mountpath: string
  path: () => string
  remotes: () => Remotes
  /** Decides what clients may call. */
  readonly authorization: ScriptAuthorization
  readonly warn: (message: string) => void
  enableAuth: (options?: unknown) => void
  use: (...args: unknown[]) => ScriptApp
  (request: IncomingMessage, response: ServerResponse, next?: unknown): void
  handle: (request: IncomingMessage, response: ServerResponse, next?: unknown) => void
  start: () => unknown
  listen: (...args: unknown[]) => Server
  /** The address of a script's `app.listen`. */
  readonly wantedAddress: WantedAddress | undefined
  [express: string]: unknown
}

/** Makes the application object of scripts. Its registry may come later than the object itself. */
export function createScriptApp(parts: ScriptAppParts): ScriptApp {
  const { appServer } = parts
  const authorization = createAuthorization()
  const sources = { ...parts, connectors: new Map<string, MakeConnector>() }
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
        isAuthEnabled: () => app.isAuthEnabled,
        options: () => parts.settings.fix('remoting') ?? {}
      })
    ),
    ...modelMembers(() => app, parts),
    ...dataSourceMembers(() => app, sources),
    ...refusedMembers('app', missingOfApp),
    settings: settingsView(parts.settings, (name) => parts.mounts.host.setting(name)),
    ...placeMembers,
    enableAuth: (options?: unknown) => {
      app.isAuthEnabled = true
      attachAuthModels(parts.registry(), options)
    }
  }) as unknown as ScriptApp // the getters below complete it
  return defineRegistryMembers(app, { ...parts, ...sources })
}

/** Where the application is mounted: at the root of its server. */
const placeMembers = {
  mountpath: '/',
  path: () => '',
  /** Express's name for `delete`. */
  del(this: ScriptApp, ...args: unknown[]): unknown {
    const { delete: remove } = this as unknown as { delete: (...args: unknown[]) => unknown } // a member of Express
    return remove.apply(this, args)
  },
  // LB3: it looks for routes where Express keeps none any more.
  disuse: (): void => {}
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

function defineRegistryMembers(app: ScriptApp, parts: ScriptAppParts & DataSourceParts): ScriptApp {
  const { registry, mounts, completeLoopback } = parts
  const getters: Readonly<Record<string, () => unknown>> = {
    wantedAddress: parts.appServer.wantedAddress,
    models: once(() => createModelList(registry())),
    dataSources: () => listDataSources(app, registry()),
    datasources: () => listDataSources(app, registry()),
    registry: once(() => createScriptRegistry(parts)),
    request: () => mounts.host.application().request,
    response: () => mounts.host.application().response,
    loopback: once(() => completeLoopback(createLoopbackModule({ ...parts, scriptRegistry: app.registry })))
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
