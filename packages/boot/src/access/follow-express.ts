import { principalOf, setCaller } from '@modelwire/core/plugin'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'

/** Takes over the token that middleware of Express has set, unless it is the one that was found already. */
function acceptToken(request: FastifyRequest, token: unknown): void {
  const principal = principalOf(token)
  if (token === request.accessToken && principal?.userId === request.principal?.userId) return
  setCaller(request, principal ?? null, typeof token === 'object' ? token : null)
}

/**
 * Makes an authentication hook follow middleware of Express, which may name a token in `req.accessToken`, change the
 * one that was found, or take it away. Where it sets null, no token is searched.
 * @see LoopBack 3: loopback, server/middleware/token.js
 */
export function followExpress(hook: onRequestHookHandler): onRequestHookHandler {
  return function (request, reply, done) {
    const token: unknown = Reflect.get(request.raw, 'accessToken')
    if (token !== undefined) acceptToken(request, token)
    if (token === null) done()
    else hook.call(this, request, reply, done)
  }
}
