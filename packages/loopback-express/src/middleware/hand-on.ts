import type { IncomingMessage } from 'node:http'
import { isBelow } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import { isFunction } from '../script-function.ts'
import type { ExpressRequest, Next } from './express-module.ts'

interface Handed {
  /** The properties set by the application that passed the request on. */
  readonly places: { readonly originalUrl: unknown; readonly baseUrl: unknown }
  readonly next: Next
  /** That application may be mounted itself. */
  readonly before: Handed | undefined
}

const handed = new WeakMap<IncomingMessage, Handed>()

/**
 * Passes a request on to the server of an application, from a server of Node or from an application that it is mounted
 * on: Fastify then takes what is left of its URL for all of it.
 */
export function handOn(request: ExpressRequest, next: unknown, route: () => void): void {
  const places = { originalUrl: request.originalUrl, baseUrl: Reflect.get(request, 'baseUrl') as unknown }
  if (isFunction(next)) handed.set(request, { places, next: (error) => void next(error), before: handed.get(request) })
  for (const name of Object.keys(places)) Reflect.deleteProperty(request, name)
  route()
}

/** The URL that a client wrote to the application on which this one is mounted. */
export const originalUrlOf = (request: IncomingMessage): unknown => handed.get(request)?.places.originalUrl

/** Returns unanswered requests to the application that passed them on. Those of the REST API are its own. */
export function handBack(server: FastifyInstance, restPaths: readonly string[]): void {
  server.addHook('preHandler', (request, reply, done) => {
    const from = request.is404 && !isBelow(request, restPaths) ? handed.get(request.raw) : undefined
    if (from === undefined) {
      done()
      return
    }
    reply.hijack()
    Object.assign(request.raw, from.places)
    if (from.before === undefined) handed.delete(request.raw)
    else handed.set(request.raw, from.before)
    from.next()
  })
}
