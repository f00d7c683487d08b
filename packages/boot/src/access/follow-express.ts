import { principalOf, setCaller } from '@modelwire/core/plugin'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'

/** Takes over what middleware of Express said, unless it left in place what was known already. */
function believe(request: FastifyRequest, said: unknown): void {
  const principal = principalOf(said)
  if (said === request.accessToken && principal?.userId === request.principal?.userId) return
  setCaller(request, principal ?? null, typeof said === 'object' ? said : null)
}

/**
 * Makes a hook that finds out who calls follow middleware of Express, which may name a token in `req.accessToken`, change the one
 * that was found, or take it away. Of whom it says that there is none, none is looked for.
 * @see LoopBack 3: loopback, server/middleware/token.js
 */
export function followExpress(hook: onRequestHookHandler): onRequestHookHandler {
  return function (request, reply, done) {
    const said: unknown = Reflect.get(request.raw, 'accessToken')
    if (said !== undefined) believe(request, said)
    if (said === null) done()
    else hook.call(this, request, reply, done)
  }
}
