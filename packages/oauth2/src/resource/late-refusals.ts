import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { type Refusal, type Refuse, refuseNow } from './refuse-request.ts'

/** Refusals that wait for the hooks of inner scopes. */
interface LateRefusals {
  /** Refuses a request once all `onRequest` hooks have run. */
  readonly refuse: Refuse
  /** Wraps a hook so that it skips refused requests. */
  readonly unlessRefused: (hook: onRequestHookHandler) => onRequestHookHandler
}

/** Middleware of Express answers past Fastify: nothing that is refused may reach it. */
const runsExpress = ({ server }: FastifyRequest): boolean =>
  ['use', 'runsExpress'].some((name) => server.hasDecorator(name))

/** The empty answer to a browser that asks whether it may send a request, which never carries a token. */
function isPreflightAnswer(
  { method, headers }: FastifyRequest,
  { statusCode }: FastifyReply,
  payload: unknown
): boolean {
  const isEmpty = payload === undefined || payload === null || payload === ''
  return isEmpty && statusCode < 300 && method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/** Headers of an answer that a refusal takes the place of. */
const replaced = ['content-encoding', 'content-length', 'etag', 'last-modified', 'location', 'set-cookie']

function replaceAnswer({ write = writeFailure }: Refusal, reply: FastifyReply, payload: unknown): string {
  if (payload instanceof Readable) payload.destroy()
  for (const name of replaced) reply.removeHeader(name)
  return write(reply)
}

function writeFailure(reply: FastifyReply): string {
  void reply.code(503).type('application/json; charset=utf-8')
  return JSON.stringify({ error: 'temporarily_unavailable' })
}

/** A page of another origin can only read the challenge where CORS exposes it. */
function exposeChallenge(reply: FastifyReply): void {
  if (!reply.hasHeader('www-authenticate') || !reply.hasHeader('access-control-allow-origin')) return
  const name = 'access-control-expose-headers'
  const exposed = String(reply.getHeader(name) ?? '')
  if (!/www-authenticate/i.test(exposed)) reply.header(name, [exposed, 'WWW-Authenticate'].filter(Boolean).join(', '))
}

/**
 * Refuses requests once the `onRequest` hooks of all scopes have run, so that refusals include what these add: CORS,
 * request ids, rate limits. Other responses of hooks to such a request are replaced, except client errors and preflights.
 */
export function lateRefusals(app: FastifyInstance): LateRefusals {
  const refused = new WeakMap<FastifyRequest, Refusal>()
  const take = (request: FastifyRequest): Refusal | undefined => {
    const refusal = refused.get(request)
    refused.delete(request)
    return refusal
  }
  app.addHook('preParsing', (request, reply, payload, done) => {
    const refusal = take(request)
    if (refusal === undefined) done(null, payload)
    else refuseNow(refusal, request, reply, done)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const refusal = take(request)
    const isError = reply.statusCode >= 400 && reply.statusCode < 500
    const stays = refusal === undefined || isError || isPreflightAnswer(request, reply, payload)
    const answer = stays ? payload : replaceAnswer(refusal, reply, payload)
    if (reply.statusCode >= 400) exposeChallenge(reply)
    done(null, answer)
  })
  return {
    refuse(refusal, request, reply, done) {
      if (runsExpress(request)) return refuseNow(refusal, request, reply, done)
      refused.set(request, refusal)
      return done()
    },
    unlessRefused: (hook) =>
      function run(request, reply, done) {
        return refused.has(request) ? done() : hook.call(this, request, reply, done)
      }
  }
}

/** Refuses immediately, as LoopBack's component does: hooks of inner scopes never see refused requests. */
export const refusalsAtOnce: LateRefusals = { refuse: refuseNow, unlessRefused: (hook) => hook }
