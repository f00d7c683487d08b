import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  InsufficientScope,
  InvalidRequest,
  type OAuthError,
  TokenExpired,
  TokenMissing,
  TokenOrphaned
} from '../errors.ts'
import type { TokenAccess } from './token-access.ts'

/** Adds the caller to headers of the request, for handlers that only read headers. */
export interface CallerHeaders {
  /** Removes such headers sent by the client. */
  readonly clear: (request: FastifyRequest) => void
  readonly add: (request: FastifyRequest, access: TokenAccess) => void
}

const defaultPrefix = 'X-OAUTH2-'

/** The facts of this resource for challenges. */
export interface ChallengeFacts {
  readonly realm?: string | undefined
  /**
   * URL of this resource's metadata.
   * @see RFC 9728 section 5.1
   */
  readonly metadataUrl?: string | undefined
  /** The scopes that allow the operation of a request. */
  readonly operationScopes?: (request: FastifyRequest) => readonly string[]
}

const quote = (text: string): string => `"${text.replaceAll(/[^\u0020-\u007E]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`

/**
 * The value of `www-authenticate` for an error. A request without a token gets no error code.
 * @param scopes those that would suffice
 * @see RFC 6750 section 3
 */
export function challengeOf(
  error: OAuthError,
  { realm, metadataUrl }: ChallengeFacts,
  scopes: readonly string[]
): string {
  const isMissing = error instanceof TokenMissing
  const parts = {
    realm,
    error: isMissing ? undefined : error.error,
    error_description: isMissing ? undefined : error.message,
    scope: scopes.length > 0 && (isMissing || error instanceof InsufficientScope) ? scopes.join(' ') : undefined,
    resource_metadata: metadataUrl
  }
  const written = Object.entries(parts).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quote(value)}`]
  )
  return written.length === 0 ? 'Bearer' : `Bearer ${written.join(', ')}`
}

function set({ raw: { headers } }: FastifyRequest, name: string, value: unknown): void {
  if (value === undefined || value === null) return
  headers[name] = String(value)
  headers[name.toLowerCase()] = String(value)
}

/**
 * Makes the functions for `addHttpHeaders`. Headers are added both in LoopBack's spelling and in lower case, as in Node.
 * @param option true for `X-OAUTH2-`, a text for another prefix
 */
export function callerHeaders(option: boolean | string | undefined): CallerHeaders | undefined {
  if (option === undefined || option === false || option === '') return undefined
  const prefix = option === true ? defaultPrefix : option
  const names = [`${prefix}CLIENT-ID`, `${prefix}USER-ID`] as const
  const all = [...names, ...names.map((name) => name.toLowerCase())]
  return {
    clear: ({ raw: { headers } }) => {
      for (const name of all) if (name in headers) delete headers[name]
    },
    add: (request, { clientId, userId }) => {
      set(request, names[0], clientId)
      set(request, names[1], userId)
    }
  }
}

/** Writes status and headers of a refusal, and returns its body. */
export type RefuseRequest = (error: OAuthError, reply: FastifyReply, scopes: readonly string[]) => string

/** Why a request is refused. */
export interface Refusal {
  readonly error: Error
  /** See {@link RefuseRequest}; absent for an error that the server's handler sends: no token was checked. */
  readonly write?: (reply: FastifyReply) => string
}

/** Refuses a request in a hook. */
export type Refuse = (
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void
) => void

/** Refuses a request at once. */
export const refuseNow: Refuse = ({ error, write }, _request, reply, done) => {
  if (write === undefined) done(error)
  else void reply.send(write(reply))
}

/**
 * Responds according to the RFCs: JSON with a challenge.
 * @see RFC 6750 section 3.1
 */
export function makeRefusal(facts: ChallengeFacts): RefuseRequest {
  return (error, reply, scopes) => {
    const wanted = scopes.length > 0 ? scopes : (facts.operationScopes?.(reply.request) ?? [])
    void reply
      .code(error.statusCode)
      .headers({ ...error.headers, 'cache-control': 'no-store' })
      .header('www-authenticate', challengeOf(error, facts, wanted))
      .type('application/json; charset=utf-8')
    return JSON.stringify({ error: error.error, error_description: error.message })
  }
}

function writeText(reply: FastifyReply, status: number, text: string): string {
  void reply.code(status).type('text/plain; charset=utf-8')
  return text
}

function writeJson(reply: FastifyReply, error: string, description: string): string {
  void reply.code(403).type('application/json')
  return JSON.stringify({ error, error_description: description })
}

/** Responds as loopback-component-oauth2 did. LB3: pinned by the recorded pairs 36 to 54. */
export const refuseLikeLoopBack: RefuseRequest = (error, reply) => {
  if (error instanceof InsufficientScope) return writeJson(reply, 'insufficient_scope', 'Insufficient scope')
  if (error instanceof TokenExpired || error instanceof TokenOrphaned)
    return writeJson(reply, 'invalid_grant', error.message)
  if (error instanceof InvalidRequest) return writeText(reply, 400, 'Bad Request')
  const detail = error instanceof TokenMissing ? '' : ', error="invalid_token"'
  void reply.header('www-authenticate', `Bearer realm="Users"${detail}`)
  return writeText(reply, error.statusCode, 'Unauthorized')
}
