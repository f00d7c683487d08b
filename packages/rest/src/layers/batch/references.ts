import { isPlainObject } from '@modelwire/server'
import { DependencyFailed, InvalidBatch } from '../../errors.ts'

/** The response of an executed request. */
export interface Given {
  readonly status: number
  /** JSON, or another text; empty if there is no body. */
  readonly text: string
  readonly isJson: boolean
}

/** The executed requests, by id. */
export type GivenById = ReadonlyMap<string, Given>

/** `{"$ref": "order/id"}`: the value at `id` of what the request `order` gave. */
const isReference = (value: object): value is { $ref: string } => {
  const keys = Object.keys(value)
  return keys.length === 1 && '$ref' in value && typeof value.$ref === 'string'
}

/** A text that a reference leads to: requests must not grow beyond what was sent by referring to long ones. */
const longestText = 1000

const parsed = new WeakMap<Given, unknown>()

/** The value of an answer, parsed once however often it is referred to. */
function valueOf(given: Given): unknown {
  if (!given.isJson) return given.text
  const known: unknown = parsed.get(given) ?? JSON.parse(given.text)
  parsed.set(given, known)
  return known
}

const isShort = (value: unknown): boolean =>
  typeof value === 'string' ? value.length <= longestText : typeof value !== 'object' || value === null

/** Finds the value that a reference leads to. */
function follow(reference: string, given: GivenById): unknown {
  const [id = '', ...path] = reference.split('/')
  const source = given.get(id)
  if (source === undefined) throw new InvalidBatch(`"${reference}" does not refer to an earlier request of the batch`)
  if (source.status >= 400) throw new DependencyFailed(`the request ${JSON.stringify(id)} was refused`)
  let value = valueOf(source)
  for (const name of path) value = memberOf(value, name)
  if (value === undefined) throw new InvalidBatch(`"${reference}" refers to a value that is not in the answer`)
  if (!isShort(value))
    throw new InvalidBatch(
      `"${reference}" must refer to a number, a boolean, null or a string of at most ${longestText} characters`
    )
  return value
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name] // its own, as was asked
}

/**
 * A copy of `value` with its references replaced by their values.
 * @throws {InvalidBatch} one leads nowhere @throws {DependencyFailed} its request was refused
 */
export function resolveReferences(value: unknown, given: GivenById): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, given))
  if (!isPlainObject(value)) return value
  if (isReference(value)) return follow(value.$ref, given)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolveReferences(item, given)]))
}

const placeholder = /\{([\w.-]+(?:\/[^{}]*)?)\}/g

/** A URL with a plain segment in place of each reference. */
export const withoutReferences = (url: string): string => url.replace(placeholder, 'x')

/** The same for a URL, in which references are in braces: `/Orders/{order/id}/lines`. */
export function resolveAddress(url: string, given: GivenById): string {
  return url.replace(placeholder, (_whole, reference: string, offset: number) => {
    const value = follow(reference, given)
    const text = String(value)
    // Without its last segment, a path may be that of another method.
    const isLost = text === '' && !url.slice(0, offset).includes('?')
    if (value === null || isLost || !text.isWellFormed())
      throw new InvalidBatch(`"${reference}" refers to a value that a URL cannot contain: ${JSON.stringify(value)}`)
    return encodeURIComponent(text)
  })
}
