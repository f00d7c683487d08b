import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import { UrlNotFound } from './errors.ts'
import type { BootOptions } from './options.ts'
import { bootInto } from './plugin.ts'
import { prepareApplication, type PreparedApplication, serverErrorHandler } from './prepare-application.ts'

/** Options of `createServer`: those of `boot`, and what concerns the server. */
export type ServerOptions = BootOptions & {
  /** As Fastify's option `logger`. */
  readonly logger?: FastifyServerOptions['logger']
  /** Further options of Fastify; those that LoopBack's leniency needs are set already. */
  readonly fastify?: FastifyServerOptions
  /** Adds plugins and routes of your own before the application is built. */
  readonly setUp?: (server: FastifyInstance) => void | Promise<void>
}

/** Characters of one parameter in a path: Node's own limit for a whole request head. */
const maxParamLength = 16_384

/**
 * A server that runs a LoopBack 3 application and is as lenient as LoopBack: paths in any case, with a trailing slash and
 * with doubled ones. It is ready; call `listen` with `listenOptions(server)`, or `inject`.
 * @throws {DefinitionError} one of its kinds says what is wrong with the application
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  return buildServer(options, await prepareApplication(options))
}

/**
 * The server of an application that was read.
 * @throws {DefinitionError} one of its kinds says what is wrong with the application
 */
export async function buildServer(options: ServerOptions, prepared: PreparedApplication): Promise<FastifyInstance> {
  const server = makeServer(options, prepared)
  try {
    await options.setUp?.(server)
    await server.register(
      fp(async (scope: FastifyInstance) => bootInto(scope, options, prepared), { name: '@modelwire/boot' })
    )
    await server.ready()
  } catch (error) {
    await server.close()
    throw error
  }
  return server
}

function makeServer({ logger, fastify: own = {} }: ServerOptions, prepared: PreparedApplication): FastifyInstance {
  const onError = serverErrorHandler(prepared)
  const server = fastify({
    ...(logger === undefined ? {} : { logger }),
    // Boot scripts may take their time: migrations do.
    pluginTimeout: 0,
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
  server.setErrorHandler(onError)
  server.setNotFoundHandler((request) => {
    throw new UrlNotFound(`Cannot ${request.method} ${request.url.split('?')[0] ?? ''}`)
  })
  return server
}
