import { createRequire } from 'node:module'
import { LimitExceeded } from '@modelwire/core/plugin'
import type * as Qs from 'qs'
import type { RestSettings } from '../options.ts'
import { decodeFormText } from './decode-form-text.ts'

const load = createRequire(import.meta.url)

/** Bounds of a query string: `parameters` is the highest index of a list, too. */
export type QueryStringLimits = Pick<RestSettings['query'], 'length' | 'parameters'>

/** Levels of brackets, as in LoopBack; deeper ones stay text, inside a key. */
const bracketLevels = 5

/**
 * The parameters in `raw`, the text after `?`. A repeated parameter is a list; brackets make objects and lists. No
 * object in the answer has a prototype, and none has a key `__proto__`: parameters of that name are left out.
 *
 * Text without brackets in a key is read here, everything else by qs.
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

/** The module `qs`, loaded by the first brackets. */
export function loadQs(): typeof Qs {
  return load('qs') as typeof Qs // a dependency of this package
}

function emptyQuery(): Record<string, unknown> {
  // Object.create is typed `any`.
  return Object.create(null) as Record<string, unknown>
}
