import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Principal } from './caller.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null without a valid token. */
    principal: Principal | null
    /** The token that the request was sent with, once it was looked up. */
    accessToken: object | null
  }
}

/**
 * Decorates all requests of a server with `principal` and `accessToken`, initially null. Does nothing if they are already
 * decorated.
 */
export function decorateCaller(app: FastifyInstance): void {
  for (const name of ['principal', 'accessToken']) if (!app.hasRequestDecorator(name)) app.decorateRequest(name, null)
}

/** Sets the principal and the access token of a request. */
export function setCaller(request: FastifyRequest, principal: Principal | null, accessToken: object | null): void {
  request.principal = principal
  request.accessToken = accessToken
}
