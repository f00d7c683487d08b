import { isDeepStrictEqual } from 'node:util'
import type { RecordedAnswer } from './scenario.ts'
import { isObject } from './is-object.ts'

const isoDate = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** What `$any` allows, by kind. Other kinds are the names that `typeof` gives. */
const matchers: Readonly<Record<string, (actual: unknown) => boolean>> = {
  array: (actual) => Array.isArray(actual) && actual.length > 0,
  date: (actual) => typeof actual === 'string' && isoDate.test(actual),
  token: (actual) => typeof actual === 'string' && actual.length >= 20,
  value: (actual) => actual !== undefined
}

function matchesAny(kind: string, actual: unknown): boolean {
  return matchers[kind]?.(actual) ?? (typeof actual === kind && actual !== '')
}

function matchesUnordered(expected: readonly unknown[], actual: unknown): boolean {
  if (!Array.isArray(actual) || actual.length !== expected.length) return false
  const left: unknown[] = [...actual]
  return expected.every((item) => {
    const index = left.findIndex((other) => matches(item, other))
    if (index >= 0) left.splice(index, 1)
    return index >= 0
  })
}

/** Whether a value is what was recorded. */
export function matches(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => matches(item, actual[index]))
    )
  }
  if (!isObject(expected)) return isDeepStrictEqual(expected, actual)
  if (typeof expected['$any'] === 'string') return matchesAny(expected['$any'], actual)
  if (Array.isArray(expected['$unordered'])) return matchesUnordered(expected['$unordered'], actual)
  if (!isObject(actual)) return false
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)])
  return [...keys].every((key) => matches(expected[key], actual[key]))
}

/** XML without what is free: white space between elements, and the wording of errors. */
function flattenXml(text: string): string {
  const flat = text
    .replace(/<\?xml[^>]*\?>/, '')
    .replace(/>\s+</g, '><')
    .replaceAll("'", '"')
    .trim()
  if (!/^<\w+><statusCode>|<response><error>/.test(flat)) return flat
  return flat.replace(/<messages>.*?<\/messages>/gs, '<messages/>').replace(/<(message|stack)>[^<]*/g, '<$1>')
}

/** An answer as it was seen. */
export interface SeenAnswer {
  readonly status: number
  /** The media type without parameters; empty when there is none. */
  readonly type: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly json?: unknown
  readonly text?: string | undefined
  /** What a stream told. */
  readonly events?: readonly unknown[] | undefined
}

const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 500)

function differentText(expected: RecordedAnswer, seen: SeenAnswer): string | undefined {
  if (expected.text === undefined) return undefined
  const isXml = /xml/.test(expected.type ?? '')
  const [want, got] = isXml ? [flattenXml(expected.text), flattenXml(seen.text ?? '')] : [expected.text, seen.text]
  return want === got ? undefined : `body ${show(got)}, not ${show(want)}`
}

/** How a seen answer differs from a recorded one; undefined when it does not. */
export function findDifference(expected: RecordedAnswer, seen: SeenAnswer): string | undefined {
  if (expected.status !== seen.status) return `status ${seen.status}, not ${expected.status}`
  if ((expected.type ?? '') !== seen.type) return `type ${seen.type || 'none'}, not ${expected.type ?? 'none'}`
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    if (!matches(value, seen.headers[name] ?? null))
      return `header ${name}: ${show(seen.headers[name])}, not ${show(value)}`
  }
  if ('json' in expected && !matches(expected.json, seen.json))
    return `body ${show(seen.json ?? seen.text)}, not ${show(expected.json)}`
  if (expected.events !== undefined && !matches(expected.events, seen.events))
    return `events ${show(seen.events)}, not ${show(expected.events)}`
  return differentText(expected, seen)
}
