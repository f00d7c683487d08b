import { NameRefused, LimitExceeded } from '@modelwire/core/plugin'
import { replacedQuery, writtenQuery } from '@modelwire/server'
import type { FastifyRequest } from 'fastify'
import { createRequire } from 'node:module'
import type * as Qs from 'qs'
import type { RestSettings } from '../options.ts'

const load = createRequire(import.meta.url)

/** Limits of a query string: `parameters` is also the highest index of a list. */
export type QueryStringLimits = Pick<RestSettings['query'], 'length' | 'parameters'>

/** Levels of brackets, as in LoopBack; deeper ones stay text, inside a key. */
const bracketLevels = 5

const prototypeKey = '__proto__'

type Query = Readonly<Record<string, unknown>>

/** The query of a request without a query string. */
export const noQuery: Query = Object.freeze(Object.create(null) as Query) // Object.create is typed any

/** The parsed query string of a request; without one nothing is parsed. */
export type ReadQuery = (request: FastifyRequest) => Query

/** Makes the function that reads query strings within `limits`. */
export function queryReader(limits: QueryStringLimits): ReadQuery {
  return (request) => {
    const replaced = replacedQuery(request.raw)
    if (replaced !== undefined) return replaced
    const text = writtenQuery(request)
    return text === '' ? noQuery : parseQueryString(text, limits)
  }
}

/**
 * The query string of a request, with checked keys unless prototype names are ignored.
 * @throws {NameRefused} a key is `__proto__`; the parser leaves it out, which is safe, but the client should get an
 * error
 */
export function readCheckedQuery(request: FastifyRequest, ignoresPrototypeNames: boolean, readQuery: ReadQuery): Query {
  const query = readQuery(request)
  if (!ignoresPrototypeNames && query !== noQuery && replacedQuery(request.raw) === undefined)
    refusePrototypeKeys(writtenQuery(request))
  return query
}

/**
 * Checks the keys of a query string or form, `raw`. The parser drops parameters named `__proto__`, which is safe; this
 * reports an error to the client.
 * @throws {NameRefused} a key, or a part of one in brackets, is `__proto__`
 */
export function refusePrototypeKeys(raw: string): void {
  if (!raw.includes('%') && !raw.includes(prototypeKey)) return
  if (raw.split('&').some(namesPrototype)) throw new NameRefused(`"${prototypeKey}" is not allowed as a name`)
}

function namesPrototype(parameter: string): boolean {
  const written = parameter.split('=', 1)[0] ?? ''
  const key = written.includes('%') ? decodeFormText(written) : written
  return key.includes(prototypeKey) && key.split(/[[\]]/).includes(prototypeKey)
}

/**
 * Parses the parameters in `raw`, the text after `?`. A repeated parameter is a list; brackets create objects and lists.
 * No object in the result has a prototype, and none has a key `__proto__`: parameters of that name are dropped.
 *
 * Text without brackets in a key is parsed here, everything else by qs.
 * @throws {LimitExceeded} `raw` is longer than `limits.length`
 * @see LoopBack 3: express query parser, extended
 */
export function parseQueryString(raw: string, limits: QueryStringLimits): Record<string, unknown> {
  if (raw.length > limits.length) throw new LimitExceeded(`A query string may have at most ${limits.length} characters`)
  return parsePlain(raw, limits.parameters) ?? parseBrackets(raw, limits)
}

/** Undefined when a key has brackets. */
function parsePlain(raw: string, parameters: number): Record<string, unknown> | undefined {
  const query = emptyQuery()
  let start = 0
  for (let count = 0; count < parameters && start < raw.length; count++) {
    const found = raw.indexOf('&', start)
    const end = found === -1 ? raw.length : found
    if (!addParameter(query, raw.slice(start, end))) return undefined
    start = end + 1
  }
  return query
}

/** False when the key has brackets. */
function addParameter(query: Record<string, unknown>, part: string): boolean {
  const equals = part.indexOf('=')
  const key = equals === -1 ? part : part.slice(0, equals)
  if (hasBracket(key)) return false
  const name = decodeFormText(key)
  if (name !== '' && name !== '__proto__')
    addValue(query, name, equals === -1 ? '' : decodeFormText(part.slice(equals + 1)))
  return true
}

function addValue(query: Record<string, unknown>, name: string, value: string): void {
  const before = query[name]
  if (before === undefined) query[name] = value
  else if (Array.isArray(before)) before.push(value)
  else query[name] = [before, value]
}

function hasBracket(key: string): boolean {
  return key.includes('[') || (key.includes('%') && /%5b/i.test(key))
}

function parseBrackets(raw: string, limits: QueryStringLimits): Record<string, unknown> {
  return loadQs().parse(raw, {
    plainObjects: true,
    depth: bracketLevels,
    parameterLimit: limits.parameters,
    arrayLimit: limits.parameters
  })
}

/** Loads the module `qs` when brackets are first used. */
export function loadQs(): typeof Qs {
  return load('qs') as typeof Qs // a dependency of this package
}

function emptyQuery(): Record<string, unknown> {
  // Object.create is typed `any`.
  return Object.create(null) as Record<string, unknown>
}

/**
 * The text behind a key or value of a query string: `+` is a blank, percent sequences are UTF-8. Text with an invalid
 * sequence stays as it is, apart from `+` and brackets.
 * @see qs 6, lib/parse.js and lib/utils.js
 */
function decodeFormText(encoded: string): string {
  const text = encoded.includes('+') ? encoded.replaceAll('+', ' ') : encoded
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(/%5b/gi, '[').replace(/%5d/gi, ']')
  }
}
