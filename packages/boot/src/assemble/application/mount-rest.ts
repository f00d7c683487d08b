import { rulesOf, methodString } from '@modelwire/core/plugin'
import { answerHook, writtenPath } from '@modelwire/server'
import { type ErrorOptions, rest, type RestOptions } from '@modelwire/rest'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { removedSettings } from '../../read/config/note-settings.ts'
import { remotingSetting, restOptions, withoutAbsent } from './rest-options.ts'
import { MethodTimeout, RemovedSetting } from '../../errors.ts'
import { corsOptions } from '../../read/middleware/cors.ts'
import { errorOptions } from '../../read/middleware/error-options.ts'
import type { MiddlewarePlan } from '../../read/middleware/middleware-plan.ts'
import type { BootSettings } from '../../options.ts'
import type { Application } from '../../read/read-application.ts'
import type { ContextStore } from '@modelwire/loopback/api'
import type { LoopBackApplication } from './loopback-application.ts'

/** The context of mounting the REST API. */
export interface RestMounting {
  readonly application: Application
  readonly plan: MiddlewarePlan
  /** Set if requests have a current context (version 2). */
  readonly contextStore: ContextStore | undefined
  readonly options: Pick<BootSettings, 'methodTimeout'>
  /** Middleware after the API, which receives its errors if `remoting.rest.handleErrors` is false. */
  readonly handleError: ErrorOptions['handler']
}

/** Mounts the REST API at every path of `loopback#rest`. */
export async function mountRest(
  server: FastifyInstance,
  paths: readonly string[],
  mounting: RestMounting
): Promise<void> {
  const remoting = remotingSetting(mounting.application)
  if (paths.length > 0 && restOptions(remoting).answersJsonp === true)
    server.log.warn(
      'rest: JSONP is enabled: pages of any origin can read what a GET returns to a browser; remoting.rest.jsonp: false disables it'
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

/**
 * Answers every call of the REST API that takes longer than `milliseconds` with an error that names model and method: a
 * method, hook or rule may have forgotten its callback. 0 waits forever. Reading the request does not count.
 * @throws {MethodTimeout} (each call) it takes longer
 */
function limitCallTime(scope: FastifyInstance, milliseconds: number): void {
  if (milliseconds === 0) return
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>()
  scope.addHook('preValidation', async (request, reply) => {
    timers.set(
      request,
      setTimeout(() => giveUp(request, reply, milliseconds), milliseconds)
    )
  })
  const stop = (request: FastifyRequest): void => clearTimeout(timers.get(request))
  scope.addHook('onSend', answerHook('end of the time limit', stop))
  // A method may have answered through the response itself.
  scope.addHook('onResponse', async (request) => stop(request))
}

function giveUp(request: FastifyRequest, reply: FastifyReply, milliseconds: number): void {
  if (reply.sent || reply.raw.headersSent) return
  const { operation } = request.routeOptions.config
  const name = operation === undefined ? writtenPath(request) : methodString(operation)
  void reply.send(new MethodTimeout(`${name} did not answer within ${milliseconds} ms`))
}

/** Mounts an application into its server and decorates the server with it. */
export async function mountApplication(application: LoopBackApplication): Promise<void> {
  const { app, server } = application
  const report = await application.finish()
  server.decorate('bootReport', report)
  server.decorate('loopback', app)
  server.addHook('onListen', async () => {
    if (!application.hasServerScript) app.emit('started')
  })
}
