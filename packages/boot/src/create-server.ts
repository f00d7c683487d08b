import { protectLog } from '@modelwire/core'
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import { answerClientError } from './answer-client-error.ts'
import { UrlNotFound } from './errors.ts'
import { maskedLogger } from './masked-logger.ts'
import type { BootOptions } from './options.ts'
import type { LoopBackApplication, ServerHost } from './application/loopback-application.ts'
import { startApplication, type StartParts } from './application/start-application.ts'
import { withResolvers } from './application/with-resolvers.ts'
import { earlyLog } from './early-log.ts'
import { mountApplication } from './plugin.ts'
import { type PreparedApplication, serverErrorHandler } from './prepare-application.ts'
import { type LoadSheddingOptions, shedLoad } from './shed-load.ts'
import { limitHeaderTime, type ServerTimeoutOptions, timeoutOptions } from './server-timeouts.ts'

/** Options of `createServer`: those of `boot`, and what concerns the server. */
export type ServerOptions = BootOptions & {
  /** As Fastify's option `logger`. */
  readonly logger?: FastifyServerOptions['logger']
  /** Further options of Fastify; those that LoopBack's leniency needs are set already. */
  readonly fastify?: FastifyServerOptions
  /** How long clients may take; `serverTimeouts` of `config.json` counts where an option is absent. */
  readonly serverTimeouts?: ServerTimeoutOptions
  /** When requests are refused because there are too many; `loadShedding` of `config.json` counts where it is absent. */
  readonly loadShedding?: LoadSheddingOptions
  /** `server/server.js` is the main module of the process: it starts what it starts when it is run by itself. */
  readonly asMain?: boolean
  /** Adds plugins and routes of your own before the application is built. */
  readonly setUp?: (server: FastifyInstance) => void | Promise<void>
}

/** Characters of one parameter in a path: Node's own limit for a whole request head. */
const maxParamLength = 16_384

/**
 * A server that runs a LoopBack 3 application and is as lenient as LoopBack: paths in any case, with a trailing slash and
 * with doubled ones; clients that take too long are cut off. It is ready; call `listen` with `listenOptions(server)`, or `inject`.
 * @throws {DefinitionError} one of its kinds says what is wrong with the application
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  return (await startServer(options, { isMain: options.asMain })).server
}

/** A server that is ready, and the application that it serves. */
export interface StartedServer {
  readonly server: FastifyInstance
  readonly application: LoopBackApplication
}

/**
 * As `createServer`, with the application.
 * @param onPrepared is given what was read, as soon as it was
 * @throws {DefinitionError} one of its kinds says what is wrong with the application
 */
export async function startServer(
  options: ServerOptions,
  parts: StartParts = {},
  onPrepared: (prepared: PreparedApplication) => void = () => {}
): Promise<StartedServer> {
  let opened: FastifyInstance | undefined
  const ready = withResolvers()
  const host: ServerHost = {
    log: earlyLog(options.logger),
    open: (prepared) => {
      onPrepared(prepared)
      opened = makeServer(options, prepared)
      protectLog(opened)
      return opened
    },
    complete: () => ready.promise,
    listen: () => {},
    isHeld: true
  }
  try {
    const application = await startApplication(options, host, parts)
    await completeServer(options, application)
    ready.resolve()
    return { server: application.server, application }
  } catch (error) {
    ready.reject(error)
    await opened?.close()
    throw error
  }
}

/** Mounts an application and gets its server ready. */
export async function completeServer(options: ServerOptions, application: LoopBackApplication): Promise<void> {
  const { server, prepared } = application
  try {
    const shedding = options.loadShedding ?? prepared.application.known.loadShedding
    if (shedding !== undefined) await shedLoad(server, shedding)
    await options.setUp?.(server)
    await server.register(fp(async () => mountApplication(application), { name: '@modelwire/boot' }))
    await server.ready()
  } catch (error) {
    await application.abandon()
    throw error
  }
}

/** Makes the server of an application that was read. */
export function makeServer(options: ServerOptions, prepared: PreparedApplication): FastifyInstance {
  const { fastify: own = {} } = options
  const logger = maskedLogger(options.logger)
  const onError = serverErrorHandler(prepared)
  const { timeouts } = prepared
  const server = fastify({
    ...(logger === undefined ? {} : { logger }),
    // Boot scripts may take their time: migrations do.
    pluginTimeout: 0,
    ...timeoutOptions(timeouts),
    // What comes on a connection that is about to close is answered like everything before it.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    ...own,
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) => onError(error, request, reply),
    routerOptions: {
      ...own.routerOptions,
      caseSensitive: false,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength
    }
  })
  limitHeaderTime(server, timeouts, own)
  server.setErrorHandler(onError)
  server.setNotFoundHandler((request) => {
    throw new UrlNotFound(`Cannot ${request.method} ${request.url.split('?')[0] ?? ''}`)
  })
  return server
}
