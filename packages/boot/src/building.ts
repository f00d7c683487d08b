import { versionRules } from '@modelwire/core'
import type { Connector } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import { addGetters } from './middleware/getters-version2.ts'
import { accessExtension } from './access/access-extension.ts'
import { knownFactory } from './connectors/connector-factories.ts'
import { createDataSources, type DataSources } from './connectors/create-data-sources.ts'
import { UnknownConnector } from './errors.ts'
import {
  type AppMounts,
  createExpressHost,
  entryOf,
  type MiddlewareEntry,
  phaseRank
} from '@modelwire/loopback-express'
import type { BootContext, BootExtension, Components } from './extension.ts'
import { oauth2Extension } from './oauth2/oauth2-extension.ts'
import { moduleName as oauth2Module } from './oauth2/provide-module.ts'
import type { BootOptions } from './options.ts'
import type { PreparedApplication } from './prepare-application.ts'
import { relationsExtension } from './relations-extension.ts'
import { type ContextStore, createContextStore } from './scripts/current-context.ts'
import { createScriptApp, type ScriptApp } from './scripts/script-app.ts'
import { createScriptLoader, type LoadScript } from './scripts/script-loader.ts'

/** An application that is being built into a server. */
export interface Building extends PreparedApplication {
  readonly server: FastifyInstance
  readonly options: BootOptions
  readonly dataSources: DataSources
  readonly app: ScriptApp
  /** What boot scripts mounted. */
  readonly mounts: AppMounts
  readonly contextStore: ContextStore | undefined
  readonly loadScript: LoadScript
  /** The package's own, then those of the options. */
  readonly extensions: readonly BootExtension[]
  /** The package's own, then those of the options. */
  readonly components: Components
  /** What extensions and components are given. */
  readonly context: BootContext
}

/** Makes data sources and the application object; the models come later. */
export async function beginBuilding(
  server: FastifyInstance,
  options: BootOptions,
  prepared: PreparedApplication
): Promise<Building> {
  const { folder, dataSources: config, findVariable, add } = prepared.application
  const { connectors = {} } = options
  const contextStore = makeContextStore(prepared)
  const { phases, settings } = prepared.application
  const host = createExpressHost(folder, settings)
  const mounts: AppMounts = { mounts: [], calls: [], file: 'server/boot', phases, host }
  const app = makeScriptApp(server, options, prepared, mounts, contextStore)
  const dataSources = await createDataSources({ folder, log: server.log, config, findVariable, connectors, add })
  const context = makeContext(server, app, prepared, mounts)
  const loadScript = createScriptLoader(folder, prepared.application.version, add)
  const { own, components } = ownParts(options, prepared, mounts)
  const extensions = [...own, ...(options.extensions ?? [])]
  const given = { ...prepared, server, options, dataSources, app, mounts, contextStore, loadScript, context }
  return { ...given, extensions, components: { ...components, ...options.components } }
}

/** What every application has. */
function ownParts(
  { acl, users }: BootOptions,
  { application }: PreparedApplication,
  mounts: AppMounts
): { own: readonly BootExtension[]; components: Components } {
  const { modelFiles: files, modelConfig } = application
  const oauth2 = oauth2Extension(mounts, { files, configured: new Set(modelConfig.entries.keys()) })
  const access = accessExtension({ acl, users, ownModels: new Set(files.keys()) })
  return {
    own: [relationsExtension(), access, oauth2.extension],
    components: { [oauth2Module]: oauth2.component }
  }
}

/** Runs one step of every extension. */
export async function runExtensions(
  { extensions, context }: Building,
  step: Exclude<keyof BootExtension, 'name' | 'middleware'>
): Promise<void> {
  for (const extension of extensions) await extension[step]?.(context)
}

/** Version 2 has a current context unless `remoting.context` is false. */
function makeContextStore({ application, plan }: PreparedApplication): ContextStore | undefined {
  const { version, known } = application
  return plan.usesContext || (versionRules[version].currentContext && known.remoting?.context !== false)
    ? createContextStore()
    : undefined
}

function makeScriptApp(
  server: FastifyInstance,
  { connectors = {} }: BootOptions,
  { application }: PreparedApplication,
  mounts: AppMounts,
  contextStore: ContextStore | undefined
): ScriptApp {
  const { folder, settings, version } = application
  const createConnector = (name: string, given: Readonly<Record<string, unknown>>): Connector => {
    const written = String(given['connector'] ?? name)
    const factory = knownFactory({ folder, log: server.log }, written, connectors, { file: mounts.file, key: name })
    if (factory !== undefined) return factory(given)
    throw new UnknownConnector(`scripts cannot make the connector "${written}": put it into datasources.json`, {
      file: mounts.file
    })
  }
  const currentContext = versionRules[version].currentContext ? () => contextStore?.current() ?? null : undefined
  return createScriptApp({
    registry: () => server.models,
    settings,
    mounts,
    warn: (message) => server.log.warn(message),
    currentContext,
    completeLoopback: (loopback) => (version === 2 ? addGetters(loopback, folder) : loopback),
    createConnector
  })
}

function makeContext(
  server: FastifyInstance,
  app: ScriptApp,
  { application }: PreparedApplication,
  mounts: AppMounts
): BootContext {
  const { folder, settings, middleware, version, add } = application
  return {
    server,
    get registry() {
      return server.models
    },
    app,
    folder,
    settings,
    middleware,
    allMiddleware: () => {
      const rankOf = ({ phase }: MiddlewareEntry): number => phaseRank(phase, mounts.phases)
      return [...middleware, ...mounts.mounts.map(entryOf)].toSorted((one, other) => rankOf(one) - rankOf(other))
    },
    requestHooks: new Map(),
    version,
    add
  }
}
