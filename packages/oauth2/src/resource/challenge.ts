import type { FastifyRequest } from 'fastify'
import { InsufficientScope, type OAuthError } from '../errors.ts'
import { TokenMissing } from './resource-errors.ts'

/** The facts of this resource for challenges. */
export interface ChallengeFacts {
  readonly realm?: string | undefined
  /** Address of the metadata of this resource. @see RFC 9728 section 5.1 */
  readonly metadataUrl?: string | undefined
  /** The scopes that open the operation of a request. */
  readonly operationScopes?: (request: FastifyRequest) => readonly string[]
}

const quote = (text: string): string => `"${text.replaceAll(/[^\u0020-\u007E]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`

/**
 * The value of `www-authenticate` that goes with an error. A request without a token gets no error code.
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
