import { serveRegistry } from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import { handBack, handlerNames, resolveFrom } from '@modelwire/loopback/express'
import type { BootReport, Served } from '../../boot-report.ts'
import { type Building, runExtensions } from './building.ts'
import { registerExplorers } from './explorer-component.ts'
import { remotingSetting } from './rest-options.ts'
import { mountExpress } from './mount-express.ts'
import { planMounts } from '../../read/middleware/plan-middleware.ts'
import { noteMethods, noteRules, noteSharedPaths, noteUnprotected, noteUpdatesOfMany } from './start-notes.ts'
import { mountRest } from './mount-rest.ts'
import { honouredMiddleware } from '../../read/prepare-application.ts'
import { type ScriptApp, warnOfLateMethods } from '@modelwire/loopback/api'
import type { Defined } from './define-application.ts'
import type { Application } from '../../read/read-application.ts'
import type { FastifyInstance } from 'fastify'
import type { ModelRegistry } from '@modelwire/core'
import { pathToFileURL } from 'node:url'
import { changes, type ChangesOptions, makeTransport, type TransportSettings } from '@modelwire/changes'

/** What was mounted. */
interface Mounted {
  /** Paths of the REST API. */
  readonly paths: readonly string[]
  readonly labels: readonly string[]
}

/**
 * Mounts an application into its server, once its scripts have run: middleware and the REST API, in LoopBack's order.
 * @throws {DefinitionError} the application is invalid; the subclass names the reason
 */
export async function finishApplication(building: Building, { afterRest }: Defined): Promise<BootReport> {
  const { server, app, application, plan, timeouts, context } = building
  for (const step of plan.steps) await step.register(server)
  showApplication(server, app)
  const { purgeInterval } = application.checked
  await server.register(serveRegistry, {
    registry: context.registry,
    shutdownTime: timeouts.shutdown,
    purgeInterval
  })
  await registerChanges(building)
  await runExtensions(building, 'beforeRest')
  const mounted = await mountEverything(building)
  building.mounts.onLate = (method) =>
    server.log.warn(`app.${method} was called after the routes were mounted: it has no effect`)
  warnOfLateMethods(context.registry, (message) => server.log.warn(message))
  for (const step of afterRest) await step()
  await registerExplorers(building)
  await runExtensions(building, 'afterRest')
  return makeReport(building, mounted)
}

/** Scripts find the application as `req.app`; functions of the response read its settings and render its pages. */
function showApplication(server: FastifyInstance, app: ScriptApp): void {
  server.addHook('onRequest', ({ raw }, _reply, done) => {
    Object.assign(raw, { app })
    done()
  })
}

/** Mounts what scripts mounted, then the REST API. */
async function mountEverything(building: Building): Promise<Mounted> {
  const { server, application, plan, mounts, options } = building
  const { folder, version, add } = application
  const honoured = honouredMiddleware(options)
  const own = planMounts(mounts.mounts, { version, folder, add, honoured })
  for (const step of own.steps) await step.register(server)
  noteMounted(building)
  const paths = [...new Set([...plan.restPaths, ...own.restPaths])]
  const express = await mountExpress(building, paths)
  await runExtensions(building, 'beforeRoutes')
  await mountRest(server, paths, { ...building, handleError: express.handleError })
  const answersUnknown = building.context.allMiddleware().some(({ name }) => name === handlerNames.urlNotFound)
  if (!answersUnknown) handBack(server, paths)
  return { paths, labels: [...[...plan.steps, ...own.steps].map(({ label }) => label), ...express.labels] }
}

function noteMounted({ server, application, context: { registry, app } }: Building): void {
  const { config, modelConfig, modelFiles: files, add } = application
  const { sharedMethods: shared = {} } = remotingSetting(application)
  noteMethods({ registry, config, modelConfig: modelConfig.config, files, shared, add })
  noteUnprotected({ registry, files, add })
  noteUpdatesOfMany({ registry, config, shared, add })
  if (app.isAuthEnabled) noteRules(registry, application, server.access.resolvedRoles())
  noteSharedPaths({ registry, files, add })
}

function makeReport({ application, context }: Building, { paths, labels }: Mounted): BootReport {
  const { folder, version, notes } = application
  const served = describeServed(context.registry, paths, labels)
  return { dir: folder.root, env: folder.env, version, notes, served }
}

/** What is reachable once everything is mounted. */
function describeServed(registry: ModelRegistry, paths: readonly string[], middleware: readonly string[]): Served {
  const models = registry.names().map((name) => registry.typeOf(name))
  return {
    paths,
    middleware,
    models: models
      .filter(({ definition }) => definition.public === true)
      .map(({ name, httpPath, dataSource }) => ({ name, path: httpPath, dataSource: dataSource?.name })),
    dataSources: Array.from(registry.dataSources.values(), ({ name, connector }) => ({
      name,
      connector: connector.name
    }))
  }
}

/** Makes the transport that plain settings of `config.json` name, by a package beside the application. */
async function withTransport({ folder }: Application, options: ChangesOptions): Promise<ChangesOptions> {
  const { transport } = options
  if (!isPlainObject(transport) || typeof transport['type'] !== 'string') return options
  const { root, serverDir, packageFolders } = folder
  const importPackage = async (name: string): Promise<unknown> => {
    const path = resolveFrom([serverDir, root, ...packageFolders], name)
    return import(path === undefined ? name : pathToFileURL(path).href)
  }
  // The type was looked at, and the package checks the rest.
  return { ...options, transport: await makeTransport(transport as unknown as TransportSettings, importPackage) }
}

/** Reads the logs of models that log their changes, as `changes` of `config.json` says. */
async function registerChanges({ server, application, context: { registry } }: Building): Promise<void> {
  const options = application.checked.changes
  const areLogged = registry.names().some((name) => registry.typeOf(name).logsChanges)
  if (areLogged || options !== undefined)
    await server.register(changes, await withTransport(application, options ?? {}))
}
