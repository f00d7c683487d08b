import { writtenPath } from '@modelwire/core/plugin'
import { UrlNotFound } from '@modelwire/loopback-express'
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import { answerClientError } from './answer-client-error.ts'
import type { LoopBackApplication } from './application/loopback-application.ts'
import { maskedLogger } from './masked-logger.ts'
import { mountApplication } from './mount-application.ts'
import type { BootOptions } from './options.ts'
import { type PreparedApplication, serverErrorHandler } from './prepare-application.ts'
import { limitHeaderTime, type ServerTimeoutOptions, timeoutOptions } from './server-timeouts.ts'
import { type LoadSheddingOptions, shedLoad } from './shed-load.ts'

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

/** Mounts an application and gets its server ready. */
export async function completeServer(options: ServerOptions, application: LoopBackApplication): Promise<void> {
  const { server, prepared } = application
  try {
    const shedding = options.loadShedding ?? prepared.application.checked.loadShedding
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
    throw new UrlNotFound(`Cannot ${request.method} ${writtenPath(request)}`)
  })
  return server
}
