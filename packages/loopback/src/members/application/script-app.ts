import { createAuthorization, type ScriptAuthorization } from '../../access/script-authorization.ts'
import type { WantedAddress } from './listen-arguments.ts'
import type { AppSettings } from './app-settings.ts'
import { isFunction } from '../../callback-bridge.ts'
import { createScriptDataSource, type DataSourceParts } from '../data-source/create-script-data-source.ts'
import { type ScriptDataSource, scriptDataSource } from '../data-source/script-data-source.ts'
import { type MakeConnector, readConnector } from '../data-source/connector-tokens.ts'
import { createLoopbackModule, type LoopbackModule } from './loopback-module.ts'
import { createScriptRegistry, type ScriptRegistry } from './script-registry.ts'
import { callMember, installMembers, type MemberRow, type Replacements } from '../../script-members.ts'
import { createModelList, type ModelList, scriptNames } from '../definition/model-list.ts'
import { modelMembers } from './model-members.ts'
import { createRemotes, type Remotes } from '../remoting/remotes.ts'
import { type AppMounts, expressMembers } from '../../express/express-members.ts'
import { mount } from '../../express/script-router.ts'
import { ScriptArgumentInvalid } from '../../errors.ts'
import { dataSourceKey, isListed } from '../definition/data-source-handles.ts'
import { attachScriptModel } from '../definition/define-script-model.ts'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { ModelRegistry } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { isPlainObject, once } from '@modelwire/server'
import type { FastifyBaseLogger } from 'fastify'

const names = ['AccessToken', 'ACL', 'RoleMapping', 'Role', 'User'] as const

/** A model of the application replaces the built-in one. */
const isExtended = (registry: ModelRegistry, name: string): boolean =>
  registry.names().some((other) => registry.typeOf(other).base?.name === name)

type Members = Pick<ScriptApp, 'dataSource' | 'connector' | 'connectors'>

/** The dependencies of the application object. */
export interface ScriptAppParts {
  readonly registry: () => ModelRegistry
  readonly settings: AppSettings
  readonly mounts: AppMounts
  /** Creates the connector of a data source that a script adds. */
  readonly createConnector: (name: string, settings: Readonly<Record<string, unknown>>) => Connector
  /** Logs a warning about the application's code. */
  readonly warn: (message: string) => void
  /** `loopback.getCurrentContext`, if there is one. */
  readonly currentContext: (() => unknown) | undefined
  /** Adds members of the framework object that only this version has. */
  readonly completeLoopback: (loopback: LoopbackModule) => LoopbackModule
  readonly appServer: AppServer
}

/** Methods of requests that Express knows and that are not answered here. */
const otherVerbs =
  'acl bind checkout connect copy link lock m-search merge mkactivity mkcalendar mkcol move notify propfind proppatch purge rebind report search source subscribe trace unbind unlink unlock unsubscribe'.split(
    ' '
  )

/** Members of LoopBack's application object that are not provided, with their replacements. */
export const missingOfApp: Replacements = {
  boot: 'use the module loopback-boot: boot(app, __dirname)',
  ...Object.fromEntries(
    otherVerbs.map((verb) => [verb, 'requests with this method are not routed: use app.use and check req.method'])
  )
}

/** The application object for boot scripts and components. */
export interface ScriptApp extends EventEmitter {
  readonly models: ModelList
  readonly dataSources: Readonly<Record<string, ScriptDataSource>>
  readonly datasources: Readonly<Record<string, ScriptDataSource>>
  readonly registry: ScriptRegistry
  readonly loopback: LoopbackModule
  /** True while boot scripts run. */
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
  /** Registers a connector for data sources that are created afterwards. */
  connector: (name: string, factory: unknown) => void
  /** The classes of the public models by name. */
  remoteObjects: () => Record<string, unknown>
  /** The REST API as a handler to be mounted with `app.use`. */
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

/** Creates the application object of scripts. Its registry may be created later. */
export function createScriptApp(parts: ScriptAppParts): ScriptApp {
  const { appServer, warn } = parts
  const authorization = createAuthorization()
  const sources = { ...parts, connectors: new Map<string, MakeConnector>() }
  const callable = callableEmitter((request, response, next) => app.handle(request, response, next))
  const remotes = once(() =>
    createRemotes({
      registry: parts.registry(),
      warn,
      authorization,
      isAuthEnabled: () => app.isAuthEnabled,
      options: () => parts.settings.fix('remoting') ?? {}
    })
  )
  const enableAuth = (options?: unknown): void => {
    app.isAuthEnabled = true
    attachAuthModels(parts.registry(), options)
  }
  const own = {
    handle: appServer.handle,
    booting: true,
    isAuthEnabled: false,
    warn,
    authorization,
    remotes,
    enableAuth
  }
  const models = { ...modelMembers(() => app, parts), ...dataSourceMembers(() => app, sources) }
  const rows = [...settingsRows(parts), ...placeRows, ...appRows(() => app, { ...parts, ...sources })]
  const settings = settingsView(parts.settings, (name) => parts.mounts.host.setting(name))
  const members = Object.assign(callable, expressMembers(parts.mounts), { ...own, ...models, settings })
  const app = installMembers(members, rows, { owner: 'app', isListed: true }) as unknown as ScriptApp // rows complete it
  return app
}

/** Where the application is mounted: at the root of its server. */
const placeRows: readonly MemberRow<unknown>[] = [
  ['mountpath', 'value', '/'],
  ['path', 'method', () => ''],
  // Express's name for `delete`.
  ['del', 'method', (app, ...args) => callMember(app, 'delete', args)],
  // LB3: it looks for routes where Express keeps none any more.
  ['disuse', 'method', () => {}]
]

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

/** What the server gives, what is not there, and what is made of models, which may come later than the object itself. */
function appRows(app: () => ScriptApp, parts: ScriptAppParts & DataSourceParts): readonly MemberRow<unknown>[] {
  const { registry, mounts, completeLoopback, appServer } = parts
  const refused = Object.entries(missingOfApp).map(([name, advice]) => [name, 'refused', advice] as const)
  const list = (): unknown => listDataSources(app(), registry())
  const makeLoopback = (): LoopbackModule =>
    completeLoopback(createLoopbackModule({ ...parts, scriptRegistry: app().registry }))
  return [
    ['listen', 'method', (_app, ...args) => appServer.listen(args)],
    ['start', 'method', () => app().listen()],
    ...refused,
    ['wantedAddress', 'getter', appServer.wantedAddress],
    ['models', 'getter', once(() => createModelList(registry()))],
    ['dataSources', 'getter', list],
    ['datasources', 'getter', list],
    ['registry', 'getter', once(() => createScriptRegistry(parts))],
    ['request', 'getter', () => mounts.host.application().request],
    ['response', 'getter', () => mounts.host.application().response],
    ['loopback', 'getter', once(makeLoopback)]
  ]
}

function settingsRows({ settings, mounts }: ScriptAppParts): readonly MemberRow<unknown>[] {
  const set = (name: unknown, value: unknown): void => settings.set(String(name), value)
  const get = (app: unknown, name: unknown, ...handlers: unknown[]): unknown => {
    if (handlers.length === 0) return settings.get(String(name)) ?? mounts.host.setting(String(name))
    mount(mounts, 'get', [name, ...handlers])
    return app
  }
  return [
    ['get', 'method', get],
    ['set', 'chain', (_app, name, value) => set(name, value)],
    ['enable', 'chain', (_app, name) => set(name, true)],
    ['disable', 'chain', (_app, name) => set(name, false)],
    ['enabled', 'method', (_app, name: unknown) => Boolean(settings.get(String(name)))],
    ['disabled', 'method', (_app, name: unknown) => !settings.get(String(name))]
  ]
}

/** `app.dataSources`: the data sources of the application by name, and by what scripts may call them. */
function listDataSources(app: ScriptApp, registry: ModelRegistry): Record<string, ScriptDataSource> {
  const listed = [...registry.dataSources].filter(([, dataSource]) => isListed(dataSource))
  const named = listed.flatMap(([name, dataSource]) => {
    const view = Object.assign(scriptDataSource(registry, dataSource), { app })
    return [name, ...scriptNames(name)].map((key) => [key, view] as const)
  })
  return Object.fromEntries(named)
}

/** `app.dataSource`, `app.connector` and `app.connectors`. */
function dataSourceMembers(
  app: () => ScriptApp,
  parts: DataSourceParts & { connectors: Map<string, MakeConnector> }
): Members {
  const { connectors } = parts
  const memory: MakeConnector = (settings) => parts.createConnector('memory', { ...settings, connector: 'memory' })
  const shown: Record<string, unknown> = { memory, Memory: memory }
  return {
    connectors: shown,
    connector: (name, connector) => {
      const factory = typeof connector === 'string' ? undefined : readConnector(connector)
      if (!isFunction(factory))
        throw new ScriptArgumentInvalid('app.connector requires a name and a function that creates a connector')
      connectors.set(name, factory)
      for (const key of [name, ...scriptNames(name)]) shown[key] = factory
    },
    dataSource: (name, settings) =>
      Object.assign(createScriptDataSource(parts, name, settings, { isListed: true }), { app: app() })
  }
}

/** `app.settings`: the settings as an object that is read and written. */
function settingsView(settings: AppSettings, defaultOf: (name: string) => unknown): Record<string, unknown> {
  const read = (key: PropertyKey): unknown =>
    typeof key === 'string' ? (settings.get(key) ?? defaultOf(key)) : undefined
  return new Proxy<Record<string, unknown>>(
    {},
    {
      get: (target, key, receiver): unknown => read(key) ?? Reflect.get(target, key, receiver),
      has: (_target, key) => read(key) !== undefined,
      ownKeys: () => [...settings.names()],
      getOwnPropertyDescriptor: (_target, key) => {
        const value = read(key)
        return value === undefined ? undefined : { value, enumerable: true, configurable: true, writable: true }
      },
      set: (_target, key, value: unknown) => {
        settings.set(String(key), value)
        return true
      },
      deleteProperty: (_target, key) => {
        settings.set(String(key), undefined)
        return true
      }
    }
  )
}

/**
 * `app.enableAuth({ dataSource })`: gives built-in models that have none a data source. `User` is public then.
 * @throws {UnknownDataSource} there is none of this name
 * @see LoopBack 3: lib/application.js, enableAuth
 */
function attachAuthModels(registry: ModelRegistry, options: unknown): void {
  const configured = isPlainObject(options) ? options['dataSource'] : undefined
  if (configured === undefined || configured === null) return
  const wanted = dataSourceKey(configured, 'User')
  for (const name of names) {
    const model = registry.find(name)
    const isFree = model !== undefined && model.dataSource === undefined && !isExtended(registry, name)
    if (!isFree) continue
    attachScriptModel(registry, model, wanted)
    model.definition.public = name === 'User'
  }
}

/** The server's functions for the application object. */
export interface AppServer {
  /** Receives log entries before the server exists. */
  readonly log: FastifyBaseLogger
  /** `app.listen(…)` with the arguments of Node's servers; without a port that of the settings applies. */
  readonly listen: (args: readonly unknown[]) => Server
  /** The address of `app.listen`. */
  readonly wantedAddress: () => WantedAddress | undefined
  /** Implements `app(req, res)`: answers a request of a server that the application created. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, next: unknown) => void
}
