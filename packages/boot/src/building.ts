import { rulesOf, useSharedState } from '@modelwire/core/plugin'
import { type AppMounts, orderPhases } from '@modelwire/loopback-express'
import type { FastifyInstance } from 'fastify'
import type { Draft } from './application/draft.ts'
import { sharedStateOf } from './config/shared-state.ts'
import type { ConnectorFactories } from './connectors/connector-factories.ts'
import { createDataSources, type DataSources } from './connectors/create-data-sources.ts'
import type { BootContext, BootExtension, Components } from './extension.ts'
import type { BootSettings } from './options.ts'
import type { PreparedApplication } from './prepare-application.ts'
import { type ContextStore, createContextStore } from './scripts/loopback/current-context.ts'
import type { ScriptApp } from './scripts/app/script-app.ts'
import { createScriptLoader, type LoadScript } from './scripts/script-loader.ts'

/** An application that is being built into a server. */
export interface Building extends PreparedApplication {
  readonly server: FastifyInstance
  readonly options: BootSettings
  readonly dataSources: DataSources
  readonly app: ScriptApp
  /** What scripts mounted. */
  readonly mounts: AppMounts
  readonly contextStore: ContextStore | undefined
  readonly loadScript: LoadScript
  /** The package's own, then those of the options. */
  readonly extensions: readonly BootExtension[]
  /** The package's own, then those of the options. */
  readonly components: Components
  /** The argument of extensions and components. */
  readonly context: BootContext
  /** What scripts do that the start waits for. */
  readonly pending: Promise<unknown>[]
}

/** Makes the data sources of a folder that was read; its models come later. */
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

/** Runs one step of every extension that may have to be waited for. */
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
