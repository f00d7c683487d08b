import { isUtf8 } from 'node:buffer'
import { isPlainObject } from '@modelwire/core/plugin'
import { InvalidRequest, ParameterNotText } from '../errors.ts'

/** Parameters of one request: each is one text, or absent. Empty ones count as absent. */
export interface Parameters {
  /** @throws {ParameterNotText} it is a list, an object, or there twice */
  one(name: string): string | undefined
  /** The values of a parameter that may be repeated: `resource` alone. */
  all(name: string): readonly string[]
  /** Looks at those of these that the request has. @throws {ParameterNotText} one of them is a list, an object, or there twice */
  check(names: ReadonlySet<string>): void
}

/** Values by name, as they came: more than one where a name is there twice. */
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

/** Parameters of a form or a query string. */
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

/** What a form is parsed to. A class, so that no JSON body can pass for one. */
export class FormBody {
  readonly parameters: Parameters
  constructor(text: string) {
    this.parameters = parseForm(text)
  }

  /** What pages of this server send along, so that forms of other sites are distinguished from theirs. */
  get csrf_token(): string | undefined {
    return this.parameters.one('csrf_token')
  }
}

/** Parameters of the query, read from the address itself: a server may parse queries in its own way. */
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

/** The first that has a parameter counts. */
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

/** A parameter that has to be there. @throws {InvalidRequest} it is not */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.one(name)
  if (value === undefined) throw new InvalidRequest(`the parameter ${name} is missing`)
  return value
}
