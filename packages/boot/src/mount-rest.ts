import { versionRules } from '@modelwire/core'
import { rest, type RestOptions } from '@modelwire/rest'
import type { FastifyInstance } from 'fastify'
import { removedSettings } from './config/note-settings.ts'
import { restOptions, withoutAbsent } from './config/rest-options.ts'
import { RemovedSetting } from './errors.ts'
import { registerCors } from './middleware/cors.ts'
import type { MiddlewarePlan } from './middleware/middleware-plan.ts'
import type { Application } from './read-application.ts'
import type { ContextStore } from './scripts/current-context.ts'

/** What mounting the REST API needs. */
export interface RestMounting {
  readonly application: Application
  readonly plan: MiddlewarePlan
  /** Present where requests have a current context (version 2). */
  readonly contextStore: ContextStore | undefined
}

/** Mounts the REST API at every path that `loopback#rest` names. */
export async function mountRest(
  server: FastifyInstance,
  paths: readonly string[],
  mounting: RestMounting
): Promise<void> {
  for (const path of paths) {
    const prefix = path.replace(/\/+$/, '')
    await server.register(async (scope) => mountScope(scope, mounting), { prefix })
  }
}

async function mountScope(scope: FastifyInstance, { application, plan, contextStore }: RestMounting): Promise<void> {
  const { known, version } = application
  const { remoting = {} } = known
  if (versionRules[version].corsByDefault) await registerCors2(scope, remoting.cors)
  else refuseRemoved(scope, removedSettings(remoting))
  contextStore?.register(scope)
  const errors = withoutAbsent({ ...plan.errors.options, disableStackTrace: remoting.errorHandler?.disableStackTrace })
  const options: RestOptions = { ...restOptions(remoting), errors }
  await scope.register(rest, options)
}

/** LB3: the application starts, but its API does not; pinned by errors/remoting-cors. */
function refuseRemoved(scope: FastifyInstance, names: readonly string[]): void {
  if (names.length === 0) return
  scope.addHook('onRequest', async () => {
    throw new RemovedSetting(
      `version 3 removed the setting remoting.${names.join(' and remoting.')}: remove it from config.json`
    )
  })
}

/** Version 2 answers CORS for its API unless `remoting.cors` is false. @see recordings version2/cors* */
async function registerCors2(scope: FastifyInstance, setting: unknown): Promise<void> {
  const defaults = { origin: true, credentials: true }
  if (setting !== false) await registerCors(scope, setting ?? defaults, [])
}
