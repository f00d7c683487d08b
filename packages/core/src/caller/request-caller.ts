import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Principal } from './principal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null without a valid token. */
    principal: Principal | null
    /** The token that the request was sent with, once it was looked up. */
    accessToken: object | null
  }
}

/** Gives all requests of a server `principal` and `accessToken`, null at first. Does nothing where they have them. */
export function decorateCaller(app: FastifyInstance): void {
  for (const name of ['principal', 'accessToken']) if (!app.hasRequestDecorator(name)) app.decorateRequest(name, null)
}

/** Sets the principal and the access token of a request. */
export function setCaller(request: FastifyRequest, principal: Principal | null, accessToken: object | null): void {
  request.principal = principal
  request.accessToken = accessToken
}
