import { type ModelRegistry, Model } from '@modelwire/core'
import { principalOf, setCaller, repository, typeOf } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { toCallbackHook } from '@modelwire/server'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { TokenSettings, UsersSettings } from '../options.ts'
import { tokenFinder } from '../tokens/token-ids.ts'
import { type ReadToken, tokenReader } from './read-token.ts'
import { tokenPlaces } from './token-places.ts'
import { AccessTokenInvalid } from '../errors.ts'
import { AuthorizationRequired } from '@modelwire/acl'

/** Marks a response as private for caches. */
type KeepPrivate = (reply: FastifyReply) => void

/** The dependencies of authentication. */
export interface Authenticating {
  readonly registry: ModelRegistry
  readonly options: Pick<
    UsersSettings,
    'accessTokenModel' | 'tokens' | 'tokenCacheAge' | 'tokenCacheSize' | 'renewTokens' | 'maxSessionAge'
  >
  /** The model of tokens, if it differs from `accessTokenModel` in the registry. */
  readonly tokenModel?: (() => ModelType) | undefined
  /** Called at the first request; returns a function of the application that finds tokens instead of the default search. */
  readonly ownSearch?: (() => TokenSearch | undefined) | undefined
}

/** Finds the token of a request; undefined if it has none. */
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
 * Makes the hook that identifies the caller. A request without a token costs no more than looking for one, and returns no
 * promise; neither does one with a cached token.
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
): Parameters<typeof toCallbackHook>[0] {
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

/**
 * Makes the check that the token of a long call, such as a stream, is still valid.
 * @throws {AccessTokenInvalid} (the function) it was removed or has expired
 */
export function callerCheck(tokenModel: () => ModelType, read: ReadToken): ModelRegistry['callerChecks'][number] {
  return async ({ options }) => {
    const { accessToken } = options
    const model = tokenModel()
    // Tokens of others, such as those of an authorization server, are checked by them.
    if (!(accessToken instanceof Model) || typeOf(accessToken) !== model) return
    const token = await read(String(repository.idOf(model, accessToken)))
    if (token === undefined) throw new AccessTokenInvalid('the access token was removed')
  }
}

/** True when a segment of the path is the literal. */
function namesLiteral({ raw: { url = '' } }: FastifyRequest, literal: string): boolean {
  const [path = ''] = url.split('?', 1)
  return path.split('/').includes(literal)
}

/**
 * Puts the caller's id in place of the literal in the path.
 * @throws {AuthorizationRequired} the caller is anonymous, so the literal has no value
 * @see LoopBack 3: loopback, server/middleware/token.js, rewriteUserLiteral
 */
function replaceLiteral(request: FastifyRequest, literal: string): void {
  if (!namesLiteral(request, literal)) return
  const { principal, params } = request
  if (principal === null) throw new AuthorizationRequired('Authorization Required')
  if (principal.userId === undefined || typeof params !== 'object' || params === null) return
  const values = params as Record<string, unknown> // parameters by name
  for (const [name, value] of Object.entries(values)) if (value === literal) values[name] = String(principal.userId)
}

/** The headers in which a token may come. */
function headersOf({ headers = [], cookies = [], searchDefaultTokenKeys }: TokenSettings): readonly string[] {
  const defaultHeaders = searchDefaultTokenKeys ? ['Authorization', 'X-Access-Token'] : []
  return [...defaultHeaders, ...headers, ...(cookies.length > 0 ? ['Cookie'] : [])]
}

/**
 * Makes the function that marks the answers to requests with a token: caches treat answers to `Authorization` as
 * private, but not those to tokens in other places. Handlers may override it.
 * @param inLoopback clients of LoopBack may cache their answers, as before; shared caches may not
 */
function keepPrivate(tokens: TokenSettings, inLoopback = false): KeepPrivate {
  const cacheControl = inLoopback ? 'private' : 'no-store'
  // LB3: a header that recordings hold stays as it is; no shared cache keeps what is private.
  const names = inLoopback ? [] : headersOf(tokens)
  const vary = names.join(', ')
  return (reply) => {
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', cacheControl)
    if (names.length === 0) return
    const others = reply.getHeader('vary')
    void reply.header('vary', others === undefined ? vary : `${String(others)}, ${vary}`)
  }
}
