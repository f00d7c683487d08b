import { ModelRegistry } from '@modelwire/core'
import { rulesOf } from '@modelwire/core/plugin'
import type { Connector, ConnectorMethods } from '@modelwire/core/connector'
import {
  type AppMounts,
  createExpressHost,
  entryOf,
  type MiddlewareEntry,
  orderPhases,
  phaseRank
} from '@modelwire/loopback/express'
import { accessExtension } from '../extensions/access-extension.ts'
import {
  keyValueExtension,
  opsExtension,
  opsModule,
  relationsExtension,
  webhooksComponent,
  webhooksExtension
} from '../extensions/extensions.ts'
import { type AppFolder, environmentOf, findAppFolder } from '../../read/files/app-folder.ts'
import { collectNotes, type NoteCollection } from '../../boot-report.ts'
import {
  acceptCallback,
  type AppServer,
  type AppSettings,
  type ContextStore,
  createCallMethod,
  createScriptApp,
  createScriptModel,
  createSettings,
  oldHooks,
  type ScriptApp
} from '@modelwire/loopback/api'
import { noteAbsent, refuseAbsent } from '../../read/connectors/create-data-sources.ts'
import { type AbsentPackage, findConnectorFactory } from '../../read/connectors/connector-factories.ts'
import { NotBooted } from '../../errors.ts'
import type { BootContext, BootExtension, Components } from '../../extension.ts'
import { addGetters } from '../../read/middleware/getters-version2.ts'
import { orderModels } from './load-models.ts'
import { type ModelMentions, moduleName as oauth2Module, oauth2Extension } from '../extensions/oauth2-extension.ts'
import type { BootSettings } from '../../options.ts'
import { passportExtension } from '../extensions/passport-extension.ts'
import type { PreparedApplication } from '../../read/prepare-application.ts'
import type { FastifyInstance } from 'fastify'

type ModelFunction = ConnectorMethods[string]['run']

/** An application as returned by `loopback()`: scripts may use it before its folder is read. */
export interface Draft {
  readonly options: BootSettings
  readonly version: 2 | 3
  readonly folder: AppFolder
  readonly collection: NoteCollection
  readonly settings: AppSettings
  /** What scripts have mounted. */
  readonly mounts: AppMounts
  readonly app: ScriptApp
  /** Its models, including the built-in ones; created on first use. */
  readonly registry: () => ModelRegistry
  /** True once models were used. */
  readonly hasRegistry: () => boolean
  /** The package's own extensions, followed by those of the options. */
  readonly extensions: readonly BootExtension[]
  /** The package's own components, followed by those of the options. */
  readonly components: Components
  /** The argument of extensions and components. */
  readonly context: BootContext
  readonly warn: (message: string) => void
  /** The contents of the folder; undefined until the application boots. */
  prepared: PreparedApplication | undefined
  /** The server that it is built into; undefined until the application boots. */
  server: FastifyInstance | undefined
  contextStore: ContextStore | undefined
}

/**
 * Creates an application whose folder has not been read yet.
 * @throws {AppFolderInvalid} there is no such folder
 */
export function createDraft(options: BootSettings, appServer: AppServer): Draft {
  const { version, variables = process.env } = options
  const { packageFolders } = options
  const folder = findAppFolder(options.dir, environmentOf(options.env, variables), { packageFolders })
  const settings = createSettings({}, folder.env, (name, value) => host.change(name, value))
  const host = createExpressHost(folder, settings)
  const phases = orderPhases([], () => '')
  const mounts: AppMounts = { mounts: [], calls: [], file: 'server/server.js', phases, host }
  const warn = (message: string): void => (draft.server?.log ?? appServer.log).warn(message)
  let registry: ModelRegistry | undefined
  const makeRegistry = (): ModelRegistry => {
    if (registry !== undefined) return registry
    registry = createRegistry(draft)
    registry.actionHooks = oldHooks
    for (const extension of draft.extensions) extension.beforeModels?.(draft.context)
    return registry
  }
  const app = makeScriptApp(options, () => draft, { mounts, settings, registry: makeRegistry, appServer, warn })
  const { own, components } = ownParts(options, () => draft, mounts)
  const base = { options, version, folder, collection: collectNotes(), settings, mounts, app, warn }
  const draft: Draft = {
    ...base,
    registry: makeRegistry,
    hasRegistry: () => registry !== undefined,
    extensions: [...own, ...(options.extensions ?? [])],
    components: { ...components, ...options.components },
    context: makeContext(() => draft),
    prepared: undefined,
    server: undefined,
    contextStore: undefined
  }
  return draft
}

function createRegistry({ app, version, warn, collection }: Draft): ModelRegistry {
  const registry = new ModelRegistry({
    version,
    compat: true,
    modelBase: createScriptModel(app),
    callMethod: createCallMethod({ warn }),
    offerMethod,
    // LB3: such a type makes a model without properties.
    onUnknownType: (type, file, property) =>
      collection.add(
        'differs',
        { file, key: `properties.${property}` },
        `unknown type "${type}": values are not converted`,
        { advice: 'correct the type' }
      ),
    onError: (error) => warn(`a change listener failed: ${String(error)}`)
  })
  // `registerChanges` does so.
  registry.readsChangeLogs = true
  return registry
}

type Late = () => Draft

/** The parts of every application. Its model files may be read after models are first used. */
function ownParts(
  { acl, users }: BootSettings,
  draft: Late,
  mounts: AppMounts
): { own: readonly BootExtension[]; components: Components } {
  const files = () => draft().prepared?.application.modelFiles ?? new Map()
  const configured = () => new Set(draft().prepared?.application.modelConfig.entries.keys() ?? [])
  const mentions = (): ModelMentions => ({ files: files(), configured: configured() })
  const oauth2 = oauth2Extension(mounts, mentions)
  const ops = opsExtension()
  // LB3: a file that nothing uses leaves the built-in model as it is.
  const used = (): readonly string[] => orderModels(configured(), files()).map(({ definition }) => definition.name)
  const ownModels = { has: (name: string) => used().includes(name) }
  const access = accessExtension({ acl, users, ownModels })
  const webhooks = webhooksExtension()
  return {
    own: [
      relationsExtension(),
      keyValueExtension(),
      access,
      oauth2.extension,
      passportExtension(mentions),
      ops.extension,
      webhooks.extension
    ],
    components: {
      [oauth2Module]: oauth2.component,
      [opsModule]: ops.component,
      [webhooksComponent]: webhooks.component
    }
  }
}

interface AppParts {
  readonly mounts: AppMounts
  readonly settings: AppSettings
  readonly registry: () => ModelRegistry
  readonly appServer: AppServer
  readonly warn: (message: string) => void
}

function makeScriptApp(
  { version, connectors = {}, requireConnectors }: BootSettings,
  draft: Late,
  parts: AppParts
): ScriptApp {
  const { mounts, appServer, ...others } = parts
  const createConnector = (name: string, settings: Readonly<Record<string, unknown>>): Connector => {
    const { folder } = draft()
    const written = String(settings['connector'] ?? name)
    const log = draft().server?.log ?? appServer.log
    const place = { file: mounts.file, key: String(settings['name'] ?? name) }
    const onAbsent = (absent: AbsentPackage): void => {
      if (requireConnectors) refuseAbsent([{ ...absent, place }])
      noteAbsent(draft().collection.add, place, absent)
    }
    return findConnectorFactory({ folder, log }, written, connectors, place, onAbsent)(settings)
  }
  const currentContext = rulesOf(version).hasCurrentContext ? () => draft().contextStore?.current() ?? null : undefined
  return createScriptApp({
    ...others,
    mounts,
    currentContext,
    completeLoopback: (loopback) => (version === 2 ? addGetters(loopback, draft().folder) : loopback),
    createConnector,
    appServer
  })
}

function makeContext(draft: Late): BootContext {
  const middleware = (): readonly MiddlewareEntry[] => draft().prepared?.application.middleware ?? []
  return {
    get server() {
      const { server } = draft()
      if (server !== undefined) return server
      throw new NotBooted('the server is not available before the application boots')
    },
    get registry() {
      return draft().registry()
    },
    get app() {
      return draft().app
    },
    get folder() {
      return draft().prepared?.application.folder ?? draft().folder
    },
    get settings() {
      return draft().settings
    },
    get version() {
      return draft().version
    },
    get middleware() {
      return middleware()
    },
    allMiddleware: () => {
      const { mounts, phases } = draft().mounts
      const rankOf = ({ phase }: MiddlewareEntry): number => phaseRank(phase, phases)
      return [...middleware(), ...mounts.map(entryOf)].toSorted((one, other) => rankOf(one) - rankOf(other))
    },
    requestHooks: new Map(),
    modules: new Map(),
    add: (...note) => draft().collection.add(...note)
  }
}

/** Lets a method of a connector that gives a promise take a callback besides, as LoopBack's do. */
function offerMethod(method: ModelFunction): ModelFunction {
  return acceptCallback(async function (this: unknown, ...args) {
    return method.apply(this, args)
  })
}
