import { InvalidArgument } from '@modelwire/core'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A client's supported preferences (RFC 7240). */
export interface Preferences {
  readonly count?: 'exact' | 'estimated'
  readonly links?: true
  readonly return?: 'minimal' | 'representation'
  readonly handling?: 'strict' | 'lenient'
  readonly maxAffected?: number
}

const none: Preferences = Object.freeze({})

const oneOf =
  <const Values extends readonly string[]>(...values: Values) =>
  (value: string): Values[number] | undefined =>
    values.find((each) => each === value)

const readers = {
  count: oneOf('exact', 'estimated'),
  links: (value: string): true | undefined => (value === '' ? true : undefined),
  return: oneOf('minimal', 'representation'),
  handling: oneOf('strict', 'lenient'),
  'max-affected': (value: string): number | undefined => (/^\d{1,9}$/.test(value) ? Number(value) : undefined)
} as const

const isKnown = (name: string): name is keyof typeof readers => Object.hasOwn(readers, name)

/** A preference without its parameters, of which none are known here. */
function readOne(text: string): readonly [string, string] {
  const [preference = ''] = text.split(';')
  const [name = '', value = ''] = preference.split('=')
  return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1')]
}

function readHeader(header: string, isStrict: boolean): Preferences {
  const found: Record<string, unknown> = {}
  const unknown: string[] = []
  for (const text of header.split(',')) {
    const [name, value] = readOne(text)
    const read = isKnown(name) ? readers[name](value) : undefined
    if (read === undefined) unknown.push(text.trim())
    // The first one counts.
    else found[name === 'max-affected' ? 'maxAffected' : name] ??= read
  }
  if ((isStrict || found['handling'] === 'strict') && unknown.some((text) => text !== ''))
    throw new InvalidArgument(`unsupported preference ${unknown.join(', ')}`)
  return found
}

const kept: unique symbol = Symbol('preferences')

/**
 * The preferences of a request; unknown ones are ignored.
 * @throws {InvalidArgument} one is not known, and the handling is strict
 */
export function preferencesOf(request: FastifyRequest & { [kept]?: Preferences }, isStrict: boolean): Preferences {
  const { prefer } = request.headers
  if (prefer === undefined) return none
  const read = (request[kept] ??= readHeader(Array.isArray(prefer) ? prefer.join() : prefer, isStrict))
  return read
}

function append(reply: FastifyReply, name: string, value: string): void {
  const present = reply.getHeader(name)
  const texts = present === undefined ? [] : String(present).split(/,\s*/)
  if (!texts.includes(value)) void reply.header(name, [...texts, value].join(', '))
}

/** Tells the client which of its preferences the response honours. */
export function confirmPreference(reply: FastifyReply, preference: string): void {
  append(reply, 'preference-applied', preference)
  append(reply, 'vary', 'Prefer')
}

/** Sets a header that scripts of other origins may read. */
export function setExposed(request: FastifyRequest, reply: FastifyReply, name: string, value: string): void {
  void reply.header(name, value)
  if (request.headers.origin !== undefined) append(reply, 'access-control-expose-headers', name)
}
