import { serveRegistry } from '@modelwire/core/plugin'
import { handBack, handlerNames } from '@modelwire/loopback-express'
import type { FastifyInstance } from 'fastify'
import type { BootReport } from '../boot-report.ts'
import { type Building, runExtensions } from '../building.ts'
import { registerChanges } from '../components/register-changes.ts'
import { registerExplorers } from '../components/explorer-component.ts'
import { remotingSetting } from '../config/remoting-setting.ts'
import { describeServed } from '../describe-served.ts'
import { mountExpress } from '../express/mount-express.ts'
import { planMounts } from '../middleware/plan-mounts.ts'
import { noteMethods } from '../models/note-methods.ts'
import { noteRules } from '../models/note-rules.ts'
import { noteSharedPaths } from '../models/note-shared-paths.ts'
import { noteUnprotected } from '../models/note-unprotected.ts'
import { noteUpdatesOfMany } from '../models/note-updates-of-many.ts'
import { mountRest } from '../mount-rest.ts'
import { honouredMiddleware } from '../prepare-application.ts'
import type { ScriptApp } from '../scripts/app/script-app.ts'
import { warnOfLateMethods } from '../scripts/model/model-members.ts'
import type { Defined } from './define-application.ts'

/** What was mounted. */
interface Mounted {
  /** Paths of the REST API. */
  readonly paths: readonly string[]
  readonly labels: readonly string[]
}

/**
 * Mounts an application whose scripts have run into its server: middleware and the REST API, in LoopBack's order.
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
