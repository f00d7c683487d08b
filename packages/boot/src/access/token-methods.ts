import {
  isOfModel,
  type Model,
  type ModelRegistry,
  type ModelType,
  repository,
  serverCall,
  typeOf
} from '@modelwire/core'
import { isAlive, newTokenId, type TokenPlaces, tokenFinder, tokenReader, type UsersOptions } from '@modelwire/users'
import { acceptCallback } from '../callback-bridge.ts'
import { addMembers } from './add-members.ts'
import { namesIn } from './token-options.ts'

type Facts = Readonly<Record<string, unknown>>

const factsOf = (value: unknown): Facts => (typeof value === 'object' && value !== null ? (value as Facts) : {}) // read key by key

/** Where tokens of a request of Express may be: in its body, too. */
function placesOf(request: unknown): TokenPlaces {
  const { params, query, body, headers, signedCookies } = factsOf(request)
  return {
    params: factsOf(params),
    query: { ...factsOf(query), ...factsOf(body) },
    headers: factsOf(headers),
    signedCookie: (name) => factsOf(signedCookies)[name]
  }
}

/** The text that claims to be a token; null where there is none. */
function idForRequest(request: unknown, options: unknown): string | null {
  const { params, headers, cookies, searchDefaultTokenKeys, bearerTokenBase64Encoded } = factsOf(options)
  const find = tokenFinder({
    params: namesIn(params) ?? [],
    headers: namesIn(headers) ?? [],
    cookies: namesIn(cookies) ?? [],
    searchDefaultTokenKeys: searchDefaultTokenKeys !== false,
    bearerTokenBase64Encoded: Boolean(bearerTokenBase64Encoded)
  })
  return find(placesOf(request)) ?? null
}

/** Whether a token may still be used. One that may not is removed. */
async function validate(token: Model, { maxSessionAge }: UsersOptions): Promise<boolean> {
  const model = typeOf(token)
  if (isAlive(model.registry, model, token, Date.now(), maxSessionAge)) return true
  await repository.destroyById(model, repository.idOf(model, token), serverCall())
  return false
}

function addTo(model: ModelType, users: UsersOptions): void {
  const { registry } = model
  // Scripts that ask want to know what is stored.
  const resolve = async (id: unknown): Promise<unknown> =>
    typeof id === 'string' && model.collection !== undefined
      ? tokenReader(registry, model, { ...users, tokenCacheAge: 0, renewTokens: false })(id)
      : undefined
  addMembers(model, {
    ANONYMOUS: new model.modelClass({ id: '$anonymous' }),
    createAccessTokenId: acceptCallback(async () => newTokenId()),
    getIdForRequest: idForRequest,
    findForRequest: acceptCallback((request, options) => resolve(idForRequest(request, options))),
    resolve: acceptCallback(resolve)
  })
  const value = acceptCallback(async function (this: unknown) {
    return validate(this as Model, users) // called on a record
  })
  Object.defineProperty(model.modelClass.prototype, 'validate', { value, writable: true, configurable: true })
}

/**
 * Gives the model of tokens, and those that extend it, what scripts use of them besides data access.
 * @see LoopBack 3: loopback, common/models/access-token.js
 */
export function addTokenMethods(registry: ModelRegistry, users: UsersOptions): void {
  for (const name of registry.names()) {
    const model = registry.typeOf(name)
    if (isOfModel(model, 'AccessToken')) addTo(model, users)
  }
}
