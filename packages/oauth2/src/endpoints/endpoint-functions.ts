import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from '../http/send-error.ts'
import { showError } from '../http/show-error.ts'
import type { ServerParts } from '../server-parts.ts'
import { authorize } from './authorize.ts'
import { decision } from './decision.ts'
import { revoke } from './revoke.ts'
import { token } from './token.ts'

/** Answers a request that came by a route of the application's own; also with an error. */
export type EndpointFunction = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** The endpoints, for routes of the application's own where the options switch off the default ones. */
export interface EndpointFunctions {
  readonly authorization: EndpointFunction
  readonly decision: EndpointFunction
  readonly token: EndpointFunction
  readonly revoke: EndpointFunction
}

const answerError: typeof showError = async ({ settings }, request, reply, error) =>
  sendError(request, reply, error, settings.rules)

/** Makes the endpoints as functions. @see loopback-component-oauth2: the handlers that its set-up returns */
export function makeEndpointFunctions(parts: ServerParts): EndpointFunctions {
  const withErrors =
    (run: typeof token, fail: typeof showError): EndpointFunction =>
    async (request, reply) => {
      try {
        return await run(parts, request, reply)
      } catch (error) {
        return fail(parts, request, reply, error)
      }
    }
  return {
    authorization: withErrors(authorize, showError),
    decision: withErrors(decision, showError),
    token: withErrors(token, answerError),
    revoke: withErrors(revoke, answerError)
  }
}
