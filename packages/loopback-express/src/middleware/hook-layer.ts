import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Handler } from './express-module.ts'

/** The request and the reply of Fastify behind a request that Express has. */
export type FastifySides = WeakMap<object, { readonly request: FastifyRequest; readonly reply: FastifyReply }>

/** Runs a hook of Fastify in place of a middleware of Express, which then sees the token that it found. */
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
