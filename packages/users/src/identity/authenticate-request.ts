import { principalOf } from '@modelwire/acl'
import type { Model, ModelRegistry } from '@modelwire/core'
import type { FastifyRequest } from 'fastify'
import type { UsersOptions } from '../options.ts'
import { tokenFinder } from '../tokens/find-token-id.ts'
import { replaceLiteral } from './current-user-literal.ts'
import { type ReadToken, tokenReader } from './read-token.ts'
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
  readonly options: Pick<
    UsersOptions,
    'accessTokenModel' | 'tokens' | 'tokenCacheAge' | 'tokenCacheSize' | 'renewTokens' | 'maxSessionAge'
  >
}

/** The reader of tokens, made when the first one is asked for: their model may be defined after this is registered. */
export function lazyReader({ registry, options }: Authenticating): ReadToken {
  let reader: ReadToken | undefined
  const make = (): ReadToken => {
    const model = registry.typeOf(options.accessTokenModel ?? 'AccessToken')
    // Without a data source there are no tokens.
    return model.collection === undefined ? () => undefined : tokenReader(registry, model, options)
  }
  return (id) => (reader ??= make())(id)
}

/**
 * Makes the hook that finds out who calls. A request without a token costs no more than looking for one, and gives no
 * promise; neither does one whose token is kept in memory.
 * @throws {AccessTokenInvalid} (the hook) the token has expired
 */
export function authenticateRequest(
  { tokens = {} }: Authenticating['options'],
  read: ReadToken
): (request: FastifyRequest) => void | Promise<void> {
  const find = tokenFinder(tokens)
  const { currentUserLiteral } = tokens
  const finish = (request: FastifyRequest, token: Model | undefined): void => {
    if (token !== undefined) {
      request.accessToken = token
      request.principal = principalOf(token) ?? null
    }
    if (currentUserLiteral !== undefined) replaceLiteral(request, currentUserLiteral)
  }
  const finishLater = async (request: FastifyRequest, reading: Promise<Model | undefined>): Promise<void> =>
    finish(request, await reading)
  return (request) => {
    // Whoever came before has found out already.
    const id = request.principal === null ? find(tokenPlaces(request)) : undefined
    const token = id === undefined ? undefined : read(id)
    return token instanceof Promise ? finishLater(request, token) : finish(request, token)
  }
}
