import type { IncomingMessage } from 'node:http'
import { isBelow } from '@modelwire/server'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { isFunction } from '../callback-bridge.ts'
import type { ExpressRequest, Handler, Next } from './express-module.ts'

/** Fastify's request and reply by the request that Express handles. */
export type FastifySides = WeakMap<object, { readonly request: FastifyRequest; readonly reply: FastifyReply }>

/** Leaves a router: Fastify decides what comes next. */
export const exitRouter: Handler = (_request, _response, next) => next('router')

/** Replaces a handler of LoopBack that Fastify takes care of. */
export const skip: Handler = (_request, _response, next) => next()

interface Handed {
  /** The properties set by the application that forwarded the request. */
  readonly places: { readonly originalUrl: unknown; readonly baseUrl: unknown }
  readonly next: Next
  /** The previous value, since that application may itself be mounted. */
  readonly before: Handed | undefined
}

const handed = new WeakMap<IncomingMessage, Handed>()

/**
 * Forwards a request to the server of an application, from a Node server or from an application that it is mounted on:
 * Fastify then sees the rest of its URL as the whole.
 */
export function forward(request: ExpressRequest, next: unknown, route: () => void): void {
  const places = { originalUrl: request.originalUrl, baseUrl: Reflect.get(request, 'baseUrl') as unknown }
  if (isFunction(next)) handed.set(request, { places, next: (error) => void next(error), before: handed.get(request) })
  for (const name of Object.keys(places)) Reflect.deleteProperty(request, name)
  route()
}

/** The URL of the client's request to the application on which this one is mounted. */
export const originalUrlOf = (request: IncomingMessage): unknown => handed.get(request)?.places.originalUrl

/** Returns unanswered requests to the application that forwarded them. Those of the REST API are not returned. */
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

/** Runs a Fastify hook in place of an Express middleware, which then sees the token that it found. */
export function hookLayer(hook: onRequestHookHandler, sides: FastifySides): Handler {
  return (raw, _response, next) => {
    const side = sides.get(raw)
    if (side === undefined) {
      next()
      return
    }
    const { request, reply } = side
    hook.call(request.server, request, reply, (error) => {
      Object.assign(raw, { accessToken: request.accessToken })
      next(error)
    })
  }
}
