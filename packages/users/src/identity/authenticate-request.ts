import type { ModelRegistry } from '@modelwire/core'
import { type HookWork, type ModelType, principalOf, setCaller, toCallbackHook } from '@modelwire/core/plugin'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { TokenSettings, UsersSettings } from '../options.ts'
import { tokenFinder } from '../tokens/find-token-id.ts'
import { callerCheck } from './check-caller.ts'
import { replaceLiteral } from './current-user-literal.ts'
import { keepPrivate, type KeepPrivate } from './keep-private.ts'
import { type ReadToken, tokenReader } from './read-token.ts'
import { tokenPlaces } from './token-places.ts'

/** The dependencies of authentication. */
export interface Authenticating {
  readonly registry: ModelRegistry
  readonly options: Pick<
    UsersSettings,
    'accessTokenModel' | 'tokens' | 'tokenCacheAge' | 'tokenCacheSize' | 'renewTokens' | 'maxSessionAge'
  >
  /** The model of tokens, where it is another one than `accessTokenModel` names in the registry. */
  readonly tokenModel?: (() => ModelType) | undefined
  /** Called at the first request for a function of the application that finds tokens instead of the default search. */
  readonly ownSearch?: (() => TokenSearch | undefined) | undefined
}

/** Finds the token of a request; undefined where it has none. */
export type TokenSearch = (request: FastifyRequest, reply: FastifyReply) => Promise<object | undefined>

const modelOf = ({ registry, options, tokenModel }: Authenticating): ModelType =>
  tokenModel?.() ?? registry.typeOf(options.accessTokenModel)

/** The reader of tokens, made on first use: their model may be defined after this is registered. */
function lazyReader(authenticating: Authenticating): ReadToken {
  let reader: ReadToken | undefined
  const make = (): ReadToken => {
    const model = modelOf(authenticating)
    // Without a data source there are no tokens.
    return model.collection === undefined ? () => undefined : tokenReader(model.registry, model, authenticating.options)
  }
  return (id) => (reader ??= make())(id)
}

/**
 * Makes the hook that finds out who calls. A request without a token costs no more than looking for one, and gives no
 * promise; neither does one whose token is kept in memory.
 * @throws {AccessTokenInvalid} (the hook) the token has expired
 */
export function authenticationHook(authenticating: Authenticating): onRequestHookHandler {
  const { registry, options } = authenticating
  const { tokens } = options
  const read = lazyReader(authenticating)
  registry.callerChecks.push(callerCheck(() => modelOf(authenticating), read))
  const keep = keepPrivate(tokens, registry.rules.letsClientsCache)
  return toCallbackHook(authenticateRequest(tokens, authenticating.ownSearch, read, keep))
}

function authenticateRequest(
  tokens: TokenSettings,
  ownSearch: Authenticating['ownSearch'] = () => undefined,
  read: ReadToken,
  keep: KeepPrivate
): HookWork {
  const find = tokenFinder(tokens)
  const { currentUserLiteral, cookieOrigins } = tokens
  let own: { readonly search: TokenSearch | undefined } | undefined
  const finish = (request: FastifyRequest, reply: FastifyReply, token: object | undefined): void => {
    if (token !== undefined) {
      setCaller(request, principalOf(token) ?? null, token)
      keep(reply)
    }
    if (currentUserLiteral !== undefined) replaceLiteral(request, currentUserLiteral)
  }
  const finishLater = async (
    request: FastifyRequest,
    reply: FastifyReply,
    reading: Promise<object | undefined>
  ): Promise<void> => finish(request, reply, await reading)
  return (request, reply) => {
    const { search } = (own ??= { search: ownSearch() })
    if (search !== undefined && request.principal === null) return finishLater(request, reply, search(request, reply))
    // An earlier hook has authenticated it already.
    const id = request.principal === null ? find(tokenPlaces(request, cookieOrigins)) : undefined
    const token = id === undefined ? undefined : read(id)
    return token instanceof Promise ? finishLater(request, reply, token) : finish(request, reply, token)
  }
}
