import { isDeepStrictEqual } from 'node:util'
import type { IgnoreRules } from './ignore-rules.ts'
import { parseJson } from './traffic.ts'

/** A response as received. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** A difference between two responses. */
export interface Difference {
  /** `status`, a header's name, or the place in the body such as `/0/name`. */
  readonly where: string
  readonly kind: 'status' | 'header' | 'missing' | 'added' | 'type' | 'value' | 'text'
  readonly old: unknown
  readonly new: unknown
}

/** What clients go by. Others name the server, or measure it. */
const comparedHeaders = [
  'content-type',
  'location',
  'www-authenticate',
  'allow',
  'content-disposition',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-expose-headers'
]

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

type Unknowns = Readonly<Record<string, unknown>>

function compareMembers(old: Unknowns, now: Unknowns, path: readonly string[], rules: IgnoreRules): Difference[] {
  const names = new Set([...Object.keys(old), ...Object.keys(now)])
  return [...names].flatMap((name): Difference[] => {
    const place = [...path, name]
    if (rules.skips(place)) return []
    const where = `/${place.join('/')}`
    if (!Object.hasOwn(now, name)) return [{ where, kind: 'missing', old: old[name], new: undefined }]
    if (!Object.hasOwn(old, name)) return [{ where, kind: 'added', old: undefined, new: now[name] }]
    return compareValues(old[name], now[name], place, rules)
  })
}

/** Where two JSON values differ. Properties may come in any order, items of lists may not. */
function compareValues(old: unknown, now: unknown, path: readonly string[], rules: IgnoreRules): Difference[] {
  if (isDeepStrictEqual(old, now) || rules.skips(path) || rules.excuses(old, now)) return []
  const where = `/${path.join('/')}`
  const type = typeOf(old)
  if (type !== typeOf(now)) return [{ where, kind: 'type', old, new: now }]
  if (type !== 'object' && type !== 'array') return [{ where, kind: 'value', old, new: now }]
  return compareMembers(old as Unknowns, now as Unknowns, path, rules) // lists have their items by number
}

/** LoopBack names no charset where a text has none. */
const normalType = (value: string | undefined): string | undefined => value?.toLowerCase().replace(/\s*;\s*/g, '; ')

function compareHeaders(old: Answer, now: Answer): Difference[] {
  return comparedHeaders.flatMap((name): Difference[] => {
    const [before, after] = [old.headers[name], now.headers[name]].map(normalType)
    return before === after ? [] : [{ where: name, kind: 'header', old: old.headers[name], new: now.headers[name] }]
  })
}

function compareBodies(old: Answer, now: Answer, rules: IgnoreRules): Difference[] {
  if (old.text === now.text) return []
  const [before, after] = [parseJson(old.text), parseJson(now.text)]
  if (before !== undefined && after !== undefined) return compareValues(before, after, [], rules)
  return [{ where: 'body', kind: 'text', old: old.text.slice(0, 2000), new: now.text.slice(0, 2000) }]
}

/** The wording of messages is free, and a stack names files: neither is compared in an error. */
function withoutWording(rules: IgnoreRules, isError: boolean): IgnoreRules {
  if (!isError) return rules
  const free = new Set(['message', 'stack', 'error_description'])
  return {
    ...rules,
    skips: (path) => rules.skips(path) || free.has(path.at(-1) ?? '') || path.includes('messages')
  }
}

/** All differences between two responses. */
export function compareAnswers(old: Answer, now: Answer, rules: IgnoreRules): Difference[] {
  const status: Difference[] =
    old.status === now.status ? [] : [{ where: 'status', kind: 'status', old: old.status, new: now.status }]
  const isError = old.status >= 400 && now.status >= 400
  return [...status, ...compareHeaders(old, now), ...compareBodies(old, now, withoutWording(rules, isError))]
}
