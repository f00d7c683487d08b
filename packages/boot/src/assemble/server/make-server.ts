import { writtenPath } from '@modelwire/server'
import { UrlNotFound } from '@modelwire/loopback/express'
import type { LoopBackApplication } from '../application/loopback-application.ts'
import { maskedLogger } from './masked-logger.ts'
import { mountApplication } from '../application/mount-rest.ts'
import type { BootOptions } from '../../options.ts'
import { type PreparedApplication, serverErrorHandler } from '../../read/prepare-application.ts'
import { limitHeaderTime, type ServerTimeoutOptions, timeoutOptions } from '../../server-timeouts.ts'
import { type LoadSheddingOptions, shedLoad } from '../../shed-load.ts'
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** The error for data that Node could not parse as a request. */
interface ClientError extends Error {
  readonly code?: string
}

/** The statuses of errors that are not 400. */
const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413
}

/** Options of `createServer`: those of `boot`, and those of the server. */
export type ServerOptions = BootOptions & {
  /** Same as Fastify's option `logger`. */
  readonly logger?: FastifyServerOptions['logger']
  /** Further options of Fastify; those required for LoopBack's leniency are already set. */
  readonly fastify?: FastifyServerOptions
  /** Time limits for clients; `serverTimeouts` of `config.json` applies if an option is absent. */
  readonly serverTimeouts?: ServerTimeoutOptions
  /** Limits above which requests are refused; `loadShedding` of `config.json` applies if it is absent. */
  readonly loadShedding?: LoadSheddingOptions
  /** `server/server.js` is the main module of the process, so it starts the server as if run directly. */
  readonly asMain?: boolean
  /** Adds custom plugins and routes before the application is built. */
  readonly setUp?: (server: FastifyInstance) => void | Promise<void>
}

/** Characters of one parameter in a path: Node's own limit for a whole request head. */
const maxParamLength = 16_384

/** Mounts an application and makes its server ready. */
export async function completeServer(options: ServerOptions, application: LoopBackApplication): Promise<void> {
  const { server, prepared } = application
  try {
    const shedding = options.loadShedding ?? prepared.application.checked.loadShedding
    if (shedding !== undefined) await shedLoad(server, shedding)
    await options.setUp?.(server)
    await server.register(fp(async () => mountApplication(application), { name: '@modelwire/boot' }))
    await server.ready()
  } catch (error) {
    await application.abandon(error)
    throw error
  }
}

/** Creates the server of an application that was read. */
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

/**
 * Answers malformed input that never becomes a request, and so reaches no route, with an error in the usual form: an
 * invalid request line, too long or incomplete headers. Closes the connection.
 */
export function answerClientError({ code = '' }: ClientError, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return
  const statusCode = statuses[code] ?? 400
  const phrase = STATUS_CODES[statusCode] ?? ''
  const body = JSON.stringify({ error: { statusCode, name: 'Error', message: phrase } })
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${statusCode} ${phrase}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`
    )
  socket.destroy()
}
