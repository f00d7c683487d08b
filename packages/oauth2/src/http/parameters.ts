import { isUtf8 } from 'node:buffer'
import { isPlainObject, registerForms } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import { InvalidRequest, InvalidScope, ParameterNotText } from '../errors.ts'

/** Parameters of one request: each is a single string, or absent. Empty ones count as absent. */
export interface Parameters {
  /** @throws {ParameterNotText} it is a list, an object, or there twice */
  one(name: string): string | undefined
  /** The values of a parameter that may be repeated: only `resource`. */
  all(name: string): readonly string[]
  /**
   * Checks the given parameters that the request has.
   * @throws {ParameterNotText} one of them is a list, an object, or there twice
   */
  check(names: ReadonlySet<string>): void
}

/** Values by name, as received: several if a name is repeated. */
type Values = ReadonlyMap<string, readonly unknown[]>

/** Stands for a value that was written as bytes which are not a string. */
const notUtf8: unique symbol = Symbol('not UTF-8')

function checkText(name: string, value: unknown): string {
  if (value === notUtf8) throw new InvalidRequest(`${name} is not well-formed UTF-8`)
  if (typeof value !== 'string') throw new ParameterNotText(`${name} must be a single string`)
  // A null ends texts elsewhere; half of a pair of signs cannot be written in an address.
  if (/[\0\p{Surrogate}]/u.test(value)) throw new InvalidRequest(`${name} contains an invalid character`)
  return value
}

/** Names before a bracket or dot: `name[]=x`, `name[like]=x` and `name.x=x` are how other servers read lists and objects. */
function nestedNames(values: Values): ReadonlySet<string> | undefined {
  let names: Set<string> | undefined
  for (const key of values.keys()) {
    const at = key.search(/[[.]/)
    if (at !== -1) (names ??= new Set()).add(key.slice(0, at))
  }
  return names
}

function parametersOf(values: Values): Parameters {
  const nested = nestedNames(values)
  const refuseNested = (name: string): void => {
    if (nested?.has(name)) throw new ParameterNotText(`${name} must be a single string`)
  }
  const one = (name: string): string | undefined => {
    refuseNested(name)
    const list = values.get(name)
    if (list === undefined) return undefined
    if (list.length > 1) throw new ParameterNotText(`${name} is repeated`)
    const text = checkText(name, list[0])
    return text === '' ? undefined : text
  }
  return {
    one,
    all(name) {
      refuseNested(name)
      return (values.get(name) ?? []).map((value) => checkText(name, value)).filter((value) => value !== '')
    },
    check(names) {
      for (const name of nested ?? []) if (names.has(name)) refuseNested(name)
      for (const name of values.keys()) if (names.has(name)) one(name)
    }
  }
}

const escapedBytes = /(?:%[0-9a-f]{2})+/gi

/** True where escapes stand for bytes that are not UTF-8, of which URLSearchParams makes another text. */
function hasOtherBytes(part: string): boolean {
  const runs = part.match(escapedBytes) ?? []
  return runs.some((run) => !isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')))
}

/** Parses the parameters of a form or a query string. */
export function parseForm(text: string): Parameters {
  const values = new Map<string, unknown[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const list = values.get(name)
    if (list === undefined) values.set(name, [value])
    else list.push(value)
  }
  for (const part of text.split('&').filter(hasOtherBytes))
    for (const name of new URLSearchParams(part).keys()) values.set(name, [notUtf8])
  return parametersOf(values)
}

const valuesOf = (name: string, value: unknown): readonly unknown[] =>
  name === 'resource' && Array.isArray(value) ? value : [value]

/** Parameters of a JSON body. A list is refused, but for `resource`, which may be one. */
function fromJson(body: Readonly<Record<string, unknown>>): Parameters {
  return parametersOf(new Map(Object.entries(body).map(([name, value]) => [name, valuesOf(name, value)])))
}

/** A parsed form. A class, so that no JSON body can pass for one. */
export class FormBody {
  readonly parameters: Parameters
  constructor(text: string) {
    this.parameters = parseForm(text)
  }

  /** The token in forms of this server's pages, which distinguishes them from forms of other sites. */
  get csrf_token(): string | undefined {
    return this.parameters.one('csrf_token')
  }
}

/** Parameters of the query, parsed from the URL itself: a server may parse queries differently. */
export function queryParameters({ url }: { readonly url: string }): Parameters {
  const at = url.indexOf('?')
  return parseForm(at === -1 ? '' : url.slice(at + 1))
}

/**
 * Parameters of the body.
 * @throws {InvalidRequest} it is neither a form nor a JSON object
 */
export function bodyParameters({ body }: { readonly body: unknown }): Parameters {
  if (body === undefined || body === null) return parametersOf(new Map())
  if (body instanceof FormBody) return body.parameters
  if (isPlainObject(body)) return fromJson(body)
  throw new InvalidRequest('the body is neither a form nor an object')
}

/** Combines sources: the first one that has a parameter counts. */
export function firstOf(...sources: readonly Parameters[]): Parameters {
  return {
    one(name) {
      const found = sources.map((source) => source.one(name)).filter((value) => value !== undefined)
      return found[0]
    },
    all: (name) => sources.map((source) => source.all(name)).find((list) => list.length > 0) ?? [],
    check(names) {
      for (const source of sources) source.check(names)
    }
  }
}

/**
 * A required parameter.
 * @throws {InvalidRequest} it is not
 */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.one(name)
  if (value === undefined) throw new InvalidRequest(`the parameter ${name} is missing`)
  return value
}

/** Parameters of the protocols that this server speaks, `resource` excepted, which may be repeated. */
const names: ReadonlySet<string> = new Set([
  'access_token',
  'assertion',
  'cancel',
  'client_assertion',
  'client_assertion_type',
  'client_id',
  'client_secret',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'device_code',
  'display',
  'grant_type',
  'id_token_hint',
  'login_hint',
  'logout_hint',
  'max_age',
  'nonce',
  'password',
  'post_logout_redirect_uri',
  'prompt',
  'redirect_uri',
  'refresh_token',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
  'sub',
  'subject',
  'token',
  'token_type_hint',
  'transaction_id',
  'user_code',
  'username'
])

/**
 * Refuses a request with any protocol parameter that is a list, an object, or repeated, whether or not it is used.
 * @throws {ParameterNotText}
 */
export function checkTexts(parameters: Parameters): Parameters {
  parameters.check(names)
  parameters.all('resource')
  return parameters
}

/** Bytes that are enough for every request. */
const limit = 65_536

/** Adds parsers for forms and JSON to this scope, independent of the rest of the server. */
export async function addBodyParsers(scope: FastifyInstance): Promise<void> {
  const options = { parseAs: 'buffer', bodyLimit: limit } as const
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', options, async (_request: unknown, bytes: Buffer) =>
    parseJson(checkUtf8(bytes).toString())
  )
  // A POST without a body has no media type; some clients send one all the same.
  scope.addContentTypeParser('*', options, async (_request: unknown, bytes: Buffer) => {
    if (bytes.length === 0) return undefined
    throw new InvalidRequest('the body must be a form or JSON')
  })
  await registerForms(scope, { limit, read: checkUtf8, parse: (text) => new FormBody(text) })
}

/** Bytes that are not UTF-8 would become other texts than the client meant. */
function checkUtf8(bytes: Buffer): Buffer {
  if (!isUtf8(bytes)) throw new InvalidRequest('the body is not well-formed UTF-8')
  return bytes
}

/** Names of JavaScript's object model are refused: no parameter has them. */
function parseJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text, (key, value: unknown) => {
      if (key === '__proto__') throw new InvalidRequest('the body contains an invalid parameter name')
      return value
    })
  } catch (cause) {
    throw cause instanceof InvalidRequest ? cause : new InvalidRequest('the body is not valid JSON', { cause })
  }
}

/** One scope. @see RFC 6749 section 3.3 */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** True for a well-formed scope. */
export const isScope = (text: string): boolean => scopeToken.test(text)

/**
 * The scopes of a `scope` parameter, each once.
 * @throws {InvalidScope} one holds a sign that scopes must not hold
 */
export function parseScopes(text: string | undefined): readonly string[] {
  const scopes = (text ?? '').split(' ').filter((scope) => scope !== '')
  if (!scopes.every(isScope)) throw new InvalidScope('the scope is malformed')
  return [...new Set(scopes)]
}
