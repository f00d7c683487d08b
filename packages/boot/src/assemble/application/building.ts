import { rulesOf, useSharedState } from '@modelwire/core/plugin'
import { isPlainObject, type SharedStore } from '@modelwire/server'
import { type AppMounts, isFunction, orderPhases, resolveFrom } from '@modelwire/loopback/express'
import type { Draft } from './draft.ts'
import type { ConnectorFactories } from '../../read/connectors/connector-factories.ts'
import { createDataSources, type DataSources } from '../../read/connectors/create-data-sources.ts'
import type { BootContext, BootExtension, Components } from '../../extension.ts'
import type { BootSettings } from '../../options.ts'
import type { PreparedApplication } from '../../read/prepare-application.ts'
import { type ContextStore, createContextStore, type ScriptApp } from '@modelwire/loopback/api'
import { createScriptLoader, type LoadScript } from '../../read/files/load-script.ts'
import { ConfigValueInvalid } from '../../errors.ts'
import type { Application } from '../../read/read-application.ts'
import { expandConfig } from '../../read/config/expand-variables.ts'
import type { FastifyInstance } from 'fastify'
import { createRequire } from 'node:module'

const packageName = '@modelwire/redis'

/** An application that is being built into a server. */
export interface Building extends PreparedApplication {
  readonly server: FastifyInstance
  readonly options: BootSettings
  readonly dataSources: DataSources
  readonly app: ScriptApp
  /** What scripts have mounted. */
  readonly mounts: AppMounts
  readonly contextStore: ContextStore | undefined
  readonly loadScript: LoadScript
  /** The package's own extensions, followed by those of the options. */
  readonly extensions: readonly BootExtension[]
  /** The package's own components, followed by those of the options. */
  readonly components: Components
  /** The argument of extensions and components. */
  readonly context: BootContext
  /** Pending work of scripts that startup waits for. */
  readonly pending: Promise<unknown>[]
}

/** Creates the data sources of a folder that was read; its models come later. */
export function beginBuilding(draft: Draft, prepared: PreparedApplication, server: FastifyInstance): Building {
  const { options, app, mounts, extensions, components, context } = draft
  const { folder, version, dataSources: config, findVariable, add, phases } = prepared.application
  // The option may be a proxy, as in an examination: it is inherited, not copied.
  const factories = Object.create(options.connectors ?? null) as ConnectorFactories
  const connectors = Object.assign(factories, addedConnectors(app))
  const contextStore = makeContextStore(prepared)
  Object.assign(draft, { prepared, server, contextStore })
  mounts.phases = orderPhases(phases, () => 'server/middleware.json', mounts.phases)
  const registry = draft.registry()
  const { requireConnectors } = options
  const log = server.log
  const dataSources = createDataSources({ folder, log, config, findVariable, connectors, add, requireConnectors })
  for (const [name, { connector, settings }] of Object.entries(dataSources))
    registry.addDataSource(name, connector, settings)
  useSharedState(registry, sharedStateOf(prepared.application))
  const loadScript = createScriptLoader(folder, version, add)
  const own = { server, options, dataSources, app, mounts, contextStore, loadScript, context, pending: [] }
  return { ...prepared, ...own, extensions, components }
}

/** What `app.connector(name, factory)` added; the one that every application has is known by itself. */
function addedConnectors({ connectors }: ScriptApp): ConnectorFactories {
  const added = Object.entries(connectors).filter(([name]) => name.toLowerCase() !== 'memory')
  return Object.fromEntries(added) as ConnectorFactories // `app.connector` takes functions that make connectors
}

/** Runs a step of every extension, awaiting it if necessary. */
export async function runExtensions(
  { extensions, context }: Building,
  step: 'beforeRest' | 'beforeRoutes' | 'afterRest'
): Promise<void> {
  for (const extension of extensions) await extension[step]?.(context)
}

/** Version 2 has a current context unless `remoting.context` is false. */
function makeContextStore({ application, plan }: PreparedApplication): ContextStore | undefined {
  const { version, checked } = application
  return plan.usesContext || (rulesOf(version).hasCurrentContext && checked.remoting?.context !== false)
    ? createContextStore()
    : undefined
}

/** Makes the store of settings that are an object: the package of it is installed beside the application. */
function redisStore({ folder, config }: Application, settings: object): SharedStore {
  const place = { file: config.fileOf('sharedState'), key: 'sharedState' }
  const { root, serverDir, packageFolders } = folder
  const path = resolveFrom([serverDir, root, ...packageFolders], packageName)
  if (path === undefined)
    throw new ConfigValueInvalid(`settings as an object require a package: npm install ${packageName}`, place)
  const { redisState } = createRequire(path)(path) as { redisState?: unknown } // a module is an object
  if (!isFunction(redisState)) throw new ConfigValueInvalid(`${packageName} exports no redisState`, place)
  return redisState(settings) as SharedStore // packages of this name export such a function
}

/**
 * What `sharedState` of `config.json` says: the name of a data source, or the settings of Redis.
 * @throws {ConfigValueInvalid} it is neither, or the package for Redis is not installed
 * @throws {InvalidOption} Redis has a setting that is unknown or malformed
 */
function sharedStateOf(application: Application): string | SharedStore | undefined {
  const { checked, config, findVariable, add } = application
  if (checked.sharedState === undefined) return undefined
  const place = { file: config.fileOf('sharedState'), key: 'sharedState' }
  const value = expandConfig(checked.sharedState, { findVariable, add }, place)
  if (typeof value === 'string') return value
  if (isPlainObject(value)) return redisStore(application, value)
  throw new ConfigValueInvalid('must be the name of a data source, or Redis settings', place)
}
