import cors, { type FastifyCorsOptions } from '@fastify/cors'
import { isBelow, isPlainObject } from '@modelwire/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const defaults = { methods: 'GET,HEAD,PUT,PATCH,POST,DELETE', strictPreflight: false } as const
const listed = ['methods', 'allowedHeaders', 'exposedHeaders'] as const

/**
 * Converts parameters of the package `cors` to options of `@fastify/cors` that behave the same.
 * @see recordings errors/cors-*
 */
export function corsOptions(params: unknown): FastifyCorsOptions {
  const input = isPlainObject(params) ? params : {}
  const joined = listed.filter((name) => Array.isArray(input[name])).map((name) => [name, String(input[name])] as const)
  return { ...defaults, ...input, ...Object.fromEntries(joined), ...fixedOrigin(input['origin']) }
}

/** One origin, the caller: the answer still varies by origin for `cors`, but not for `@fastify/cors`. */
function fixedOrigin(origin: unknown): Pick<FastifyCorsOptions, 'origin'> {
  return typeof origin === 'string' && origin !== '*' ? { origin: async () => origin } : {}
}

/** `preflightContinue`: preflights go on to the routes, as in the package `cors`, and end like other requests where none answers. */
function passPreflights(server: FastifyInstance): void {
  server.addHook('preHandler', (request, reply, done) => {
    // The route of `@fastify/cors` itself, which answers everything.
    if (request.method === 'OPTIONS' && request.routeOptions.url === '*') reply.callNotFound()
    else done()
  })
}

/** Handles CORS below the given paths, or everywhere. Register it before everything else. */
export async function registerCors(server: FastifyInstance, params: unknown, paths: readonly string[]): Promise<void> {
  const options = corsOptions(params)
  if (options.preflightContinue === true) passPreflights(server)
  if (paths.length === 0) {
    await server.register(cors, options)
    return
  }
  const elsewhere: FastifyCorsOptions = { origin: false }
  await server.register(cors, () => async (request: FastifyRequest) => (isBelow(request, paths) ? options : elsewhere))
}
