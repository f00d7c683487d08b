import { principalOf } from '@modelwire/acl'
import type { ModelRegistry } from '@modelwire/core'
import type { FastifyRequest } from 'fastify'
import type { TokenOptions } from '../options.ts'
import { tokenFinder } from '../tokens/find-token-id.ts'
import { replaceLiteral } from './current-user-literal.ts'
import { readToken } from './read-token.ts'
import { tokenPlaces } from './token-places.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The token that the request was sent with. */
    accessToken: object | null
  }
}

/** What finding out who calls needs. */
export interface Authenticating {
  readonly registry: ModelRegistry
  readonly accessTokenModel: string
  readonly tokens: TokenOptions
}

/**
 * Makes the hook that finds out who calls. A request without a token costs no more than looking for one.
 * @throws {AccessTokenInvalid} (the hook) the token has expired
 */
export function authenticateRequest({
  registry,
  accessTokenModel,
  tokens
}: Authenticating): (request: FastifyRequest) => void | Promise<void> {
  const find = tokenFinder(tokens)
  const { currentUserLiteral } = tokens
  const identify = async (request: FastifyRequest, id: string): Promise<void> => {
    const model = registry.typeOf(accessTokenModel)
    // Without a data source there are no tokens.
    const token = model.collection === undefined ? undefined : await readToken(registry, model, id)
    if (token !== undefined) {
      request.accessToken = token
      request.principal = principalOf(token) ?? null
    }
    if (currentUserLiteral !== undefined) replaceLiteral(request, currentUserLiteral)
  }
  return (request) => {
    // Whoever came before has found out already.
    const id = request.principal === null ? find(tokenPlaces(request)) : undefined
    if (id !== undefined) return identify(request, id)
    if (currentUserLiteral !== undefined) replaceLiteral(request, currentUserLiteral)
    return undefined
  }
}
