import { modelwire } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import { type BootReport, formatReport } from './boot-report.ts'
import { beginBuilding, type Building, runExtensions } from './building.ts'
import { createCallMethod } from './call-method.ts'
import { setUpComponents } from './components/set-up-components.ts'
import { describeServed } from './describe-served.ts'
import { mountExpress } from './express/mount-express.ts'
import { planMiddleware } from './middleware/plan-middleware.ts'
import { createMixins } from './mixins/apply-mixins.ts'
import { findMixins } from './mixins/find-mixins.ts'
import { loadModels } from './models/load-models.ts'
import { noteMethods } from './models/note-methods.ts'
import { noteRules } from './models/note-rules.ts'
import { noteSharedPaths } from './models/note-shared-paths.ts'
import { noteUnprotected } from './models/note-unprotected.ts'
import { noteUpdatesOfMany } from './models/note-updates-of-many.ts'
import { mountRest } from './mount-rest.ts'
import type { BootOptions } from './options.ts'
import { honouredMiddleware, type PreparedApplication } from './prepare-application.ts'
import { entryOf } from '@modelwire/loopback-express'
import { emitModelEvents } from './scripts/model-events.ts'
import { runBootScripts } from './scripts/run-boot-scripts.ts'
import type { ScriptApp } from './scripts/script-app.ts'
import { createScriptModel } from './scripts/script-model.ts'

/** What an application becomes. */
export interface BootedApplication {
  readonly report: BootReport
  readonly app: ScriptApp
}

/** What was mounted. */
interface Mounted {
  /** Paths of the REST API. */
  readonly paths: readonly string[]
  readonly labels: readonly string[]
}

/**
 * Builds an application into a server: middleware, data sources, models, components, boot scripts and the REST API, in
 * LoopBack's order. Tells the server's log what was found.
 * @throws {DefinitionError} one of its kinds says what is wrong with the application
 */
export async function bootApplication(
  server: FastifyInstance,
  options: BootOptions,
  prepared: PreparedApplication
): Promise<BootedApplication> {
  const { application, plan } = prepared
  for (const step of plan.steps) await step.register(server)
  const building = await beginBuilding(server, options, prepared)
  const { app, context, mounts } = building
  tellApplication(server, app)
  await registerCore(building)
  await defineModels(building)
  await runExtensions(building, 'beforeScripts')
  const afterRest = await setUpComponents(context, application, building.components)
  await runBootScripts({
    folder: application.folder,
    app,
    mounts,
    loadScript: building.loadScript,
    add: application.add,
    warn: (message) => server.log.warn(message)
  })
  await runExtensions(building, 'beforeRest')
  const mounted = await mountEverything(building)
  for (const step of afterRest) await step()
  await runExtensions(building, 'afterRest')
  app.emit('booted')
  const report = makeReport(building, mounted)
  server.log.info(formatReport(report))
  return { report, app }
}

/** Scripts find the application as `req.app`; functions of the response read its settings and render its pages. */
function tellApplication(server: FastifyInstance, app: ScriptApp): void {
  server.addHook('onRequest', ({ raw }, _reply, done) => {
    Object.assign(raw, { app })
    done()
  })
}

async function registerCore({ server, application, timeouts, dataSources, app }: Building): Promise<void> {
  const warn = (message: string): void => server.log.warn(message)
  await server.register(modelwire, {
    version: application.version,
    compat: true,
    shutdownTime: timeouts.shutdown,
    modelBase: createScriptModel(app),
    callMethod: createCallMethod({ warn }),
    dataSources
  })
}

async function defineModels(building: Building): Promise<void> {
  const { server, application, dataSources, app, loadScript } = building
  const { folder, modelConfig, modelFiles: files, add } = application
  const registry = server.models
  await runExtensions(building, 'beforeModels')
  const scripts = await findMixins(folder, modelConfig.mixinSources)
  // LoopBack applies mixins after all model scripts, core when a model is defined: it only has to know the names.
  for (const name of scripts.keys()) registry.defineMixin(name, () => {})
  const mixins = createMixins(folder, scripts, loadScript)
  await loadModels({ folder, registry, modelConfig, files, mixins, loadScript, dataSources, app, add })
  emitModelEvents(registry)
  // Boot scripts read and write records before the server is ready.
  await registry.connect()
}

/** Mounts what boot scripts mounted, then the REST API. */
async function mountEverything(building: Building): Promise<Mounted> {
  const { server, application, plan, mounts, options } = building
  const { folder, version, add } = application
  const honoured = honouredMiddleware(options)
  const own = planMiddleware(mounts.mounts.map(entryOf), { version, folder, add, honoured })
  for (const step of own.steps) await step.register(server)
  finishMethods(building)
  const paths = [...new Set([...plan.restPaths, ...own.restPaths])]
  const express = await mountExpress(building, paths)
  await runExtensions(building, 'beforeRoutes')
  await mountRest(server, paths, building)
  return { paths, labels: [...[...plan.steps, ...own.steps].map(({ label }) => label), ...express] }
}

function finishMethods({ server, application }: Building): void {
  const { known, config, modelConfig, modelFiles: files, add } = application
  const registry = server.models
  const shared = known.remoting?.sharedMethods ?? {}
  noteMethods({ registry, config, modelConfig: modelConfig.config, files, shared, add })
  noteUnprotected({ registry, files, add })
  noteUpdatesOfMany({ registry, config, shared, add })
  if (registry.isGuarded) noteRules(registry, application, server.access.resolvedRoles())
  noteSharedPaths({ registry, files, add })
}

function makeReport({ server, application }: Building, { paths, labels }: Mounted): BootReport {
  const { folder, version, notes } = application
  const served = describeServed(server.models, paths, labels)
  return { dir: folder.root, env: folder.env, version, notes, served }
}
