import { rulesOf } from '@modelwire/core/plugin'
import { type ErrorOptions, rest, type RestOptions } from '@modelwire/rest'
import type { FastifyInstance } from 'fastify'
import { limitCallTime } from './call-time.ts'
import { removedSettings } from './config/note-settings.ts'
import { remotingSetting } from './config/remoting-setting.ts'
import { restOptions, withoutAbsent } from './config/rest-options.ts'
import { RemovedSetting } from './errors.ts'
import { corsOptions } from './middleware/cors.ts'
import { errorOptions } from './middleware/error-options.ts'
import type { MiddlewarePlan } from './middleware/middleware-plan.ts'
import type { BootSettings } from './options.ts'
import type { Application } from './read-application.ts'
import type { ContextStore } from './scripts/loopback/current-context.ts'

/** The context of mounting the REST API. */
export interface RestMounting {
  readonly application: Application
  readonly plan: MiddlewarePlan
  /** Present where requests have a current context (version 2). */
  readonly contextStore: ContextStore | undefined
  readonly options: Pick<BootSettings, 'methodTimeout'>
  /** Middleware behind the API, which gets its errors where `remoting.rest.handleErrors` is false. */
  readonly handleError: ErrorOptions['handler']
}

/** Mounts the REST API at every path that `loopback#rest` names. */
export async function mountRest(
  server: FastifyInstance,
  paths: readonly string[],
  mounting: RestMounting
): Promise<void> {
  const remoting = remotingSetting(mounting.application)
  if (paths.length > 0 && restOptions(remoting).answersJsonp === true)
    server.log.warn(
      'rest: JSONP is on: pages of any site can read what a GET answers to a browser; remoting.rest.jsonp: false ends it'
    )
  for (const path of paths) {
    const prefix = path.replace(/\/+$/, '')
    await server.register(async (scope) => mountScope(scope, mounting), { prefix })
  }
}

async function mountScope(scope: FastifyInstance, mounting: RestMounting): Promise<void> {
  const { application, contextStore, options } = mounting
  const { version } = application
  const remoting = remotingSetting(application)
  const { corsByDefault } = rulesOf(version)
  if (!corsByDefault) refuseRemoved(scope, removedSettings(remoting))
  contextStore?.register(scope)
  limitCallTime(scope, options.methodTimeout)
  const errors = errorsOf(mounting)
  const ownOptions: RestOptions = {
    ...restOptions(remoting),
    errors,
    cors: corsByDefault && corsSetting(remoting.cors)
  }
  await scope.register(rest, ownOptions)
}

/**
 * How errors of the API are answered. LB3: by the middleware, or by `remoting.errorHandler`, never both.
 * @see LoopBack 3: strong-remoting, lib/rest-adapter.js, errorHandler
 */
function errorsOf({ application, plan, handleError }: RestMounting): Exclude<RestOptions['errors'], undefined> {
  const { rest: restSettings = {}, errorHandler } = remotingSetting(application)
  const { disableStackTrace, handler, ...params } = errorHandler || {}
  const isLeft = restSettings.handleErrors === false
  const heard = isLeft ? handleError : handler
  if (isLeft || application.version === 2) {
    const { options, inVersion3 } = plan.errors
    const stack = stackOf(application, disableStackTrace)
    return withoutAbsent({ ...options, ...stack, inVersion3: isLeft && inVersion3, handler: heard })
  }
  const own = errorOptions({ params, file: 'server/config.json', key: 'remoting.errorHandler' }, () => {})
  return withoutAbsent({ ...own, handler: heard })
}

/** Version 2 leaves stacks out in production, whose configuration files count without NODE_ENV as well. */
function stackOf({ folder }: Application, setting: boolean | undefined): Pick<ErrorOptions, 'disableStackTrace'> {
  return setting === true || folder.env === 'production' ? { disableStackTrace: true } : {}
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
function corsSetting(setting: unknown): Exclude<RestOptions['cors'], undefined> {
  return setting === false || setting === undefined ? setting !== false : corsOptions(setting)
}
