import type { Model, ModelRegistry } from '@modelwire/core'
import { repository, serverCall, typeOf, typeOfClass } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import {
  AccessTokenInvalid,
  isAlive,
  newTokenId,
  tokenFinder,
  type TokenPlaces,
  tokenReader,
  type TokenSearch,
  type UsersSettings
} from '@modelwire/users'
import type { FastifyRequest } from 'fastify'
import { acceptCallback, isFunction, type ScriptFunction } from '../callback-bridge.ts'
import { factsOf, installMembers, type MemberRow } from '../script-members.ts'
import { callScript } from './script-question.ts'
import { isBuiltIn, markBuiltIn } from './script-authorization.ts'
import { namesIn } from './token-options.ts'

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
async function validate(token: Model, { maxSessionAge }: UsersSettings): Promise<boolean> {
  const model = typeOf(token)
  if (isAlive(model.registry, model, token, Date.now(), maxSessionAge)) return true
  await repository.destroyById(model, repository.idOf(model, token), serverCall())
  return false
}

/** The token that a script's own `validate` accepts. @throws {AccessTokenInvalid} it does not */
async function resolveBy(check: ScriptFunction, model: ModelType, id: string): Promise<Model | undefined> {
  const token = await repository.findById(model, id, undefined, serverCall())
  if (token === null) return undefined
  if (await callScript(check, token, [])) return token
  throw new AccessTokenInvalid('the access token is invalid')
}

/** The request as scripts search it: the body is not read yet. What they put there stays. */
function searchedRequest({ raw, query, params }: FastifyRequest): object {
  const get = (name: string): unknown => raw.headers[/^referr?er$/i.test(name) ? 'referer' : name.toLowerCase()]
  const missing = Object.entries({ query, params, body: {}, get, header: get }).filter(([name]) => !(name in raw))
  return Object.assign(raw, Object.fromEntries(missing))
}

/** Functions of a model that find the token of a request; a script may replace each. */
const searchFunctions = ['findForRequest', 'getIdForRequest', 'resolve'] as const

/**
 * The search for tokens of a model, if a script replaced a part of it; undefined for the default one.
 * @param params of the middleware
 * @see LoopBack 3: loopback, server/middleware/token.js
 */
export function ownTokenSearch({ modelClass }: ModelType, params: object): TokenSearch | undefined {
  const parts = searchFunctions.map((name): unknown => Reflect.get(modelClass, name))
  const [search] = parts
  const isUsual = [...parts, modelClass.prototype['validate']].every(isBuiltIn)
  if (isUsual || !isFunction(search)) return undefined
  const options = { bearerTokenBase64Encoded: true, ...params }
  return async (request) => {
    const token = await callScript(search, modelClass, [searchedRequest(request), options])
    return typeof token === 'object' && token !== null ? token : undefined
  }
}

/** The model that a function was called on; `otherwise` where it was called by itself. */
const calledOn = (self: unknown, otherwise: ModelType): ModelType => typeOfClass(self) ?? otherwise

/** Calls a function that a script may have replaced. */
async function ask({ modelClass }: ModelType, name: string, args: readonly unknown[]): Promise<unknown> {
  const fn: unknown = Reflect.get(modelClass, name)
  return isFunction(fn) ? callScript(fn, modelClass, args) : undefined
}

const findForRequest = async (on: ModelType, request: unknown, options: unknown): Promise<unknown> => {
  const get: unknown = Reflect.get(on.modelClass, 'getIdForRequest')
  const id: unknown = isFunction(get) ? get.call(on.modelClass, request, options) : undefined
  return id ? ask(on, 'resolve', [id]) : undefined
}

/** LB3: the functions of a model call each other, so that a script replaces one of them for all. */
function addTo(model: ModelType, users: () => UsersSettings): void {
  // Scripts expect the stored values.
  const resolve = async (on: ModelType, id: unknown): Promise<unknown> => {
    if (typeof id !== 'string' || on.collection === undefined) return undefined
    const { validate: check } = on.modelClass.prototype
    if (isFunction(check) && !isBuiltIn(check)) return resolveBy(check, on, id)
    return tokenReader(on.registry, on, { ...users(), tokenCacheAge: 0, renewTokens: false })(id)
  }
  const find = acceptCallback(function (this: unknown, request, options) {
    return findForRequest(calledOn(this, model), request, options)
  })
  const resolveOn = acceptCallback(function (this: unknown, id) {
    return resolve(calledOn(this, model), id)
  })
  const validateThis = acceptCallback(async function (this: Model) {
    return validate(this, users())
  })
  const rows: readonly MemberRow<unknown>[] = [
    ['ANONYMOUS', 'value', new model.modelClass({ id: '$anonymous' })],
    ['createAccessTokenId', 'promise', async () => newTokenId()],
    ['getIdForRequest', 'value', markBuiltIn((request, options) => idForRequest(request, options))],
    ['findForRequest', 'value', markBuiltIn(find)],
    ['resolve', 'value', markBuiltIn(resolveOn)]
  ]
  installMembers(model.modelClass, rows, { keepsOwn: true })
  installMembers(model.modelClass.prototype, [['validate', 'value', markBuiltIn(validateThis)]], { keepsOwn: true })
}

/**
 * Adds the members to the token model that scripts use besides data access.
 * @see LoopBack 3: loopback, common/models/access-token.js
 */
export function addTokenMethods(registry: ModelRegistry, users: () => UsersSettings): void {
  const model = registry.find('AccessToken')
  if (model !== undefined) addTo(model, users)
}
