import type { GenerateToken, TokenRequest } from '../options/option-functions.ts'
import { ServerError } from '../errors.ts'
import { randomText } from './random-text.ts'

/** A token or code, with what goes into the response beside it. */
export interface MadeToken {
  readonly id: string
  readonly extras: Readonly<Record<string, unknown>>
}

/** Members of a response that are the server's own. */
const own: ReadonlySet<string> = new Set([
  'id',
  'access_token',
  'expires_in',
  'scope',
  'refresh_token',
  '__proto__',
  'constructor',
  'prototype'
])

/**
 * Makes a token or code by the application's function, or of random letters and digits.
 * @throws {ServerError} the function gives no text
 */
export function makeToken(generate: GenerateToken | undefined, request: TokenRequest): MadeToken {
  if (generate === undefined) return { id: randomText(), extras: {} }
  const made: unknown = generate(request)
  if (typeof made === 'string' && made !== '') return { id: made, extras: {} }
  const id: unknown = typeof made === 'object' && made !== null && 'id' in made ? made.id : undefined
  if (typeof id !== 'string' || id === '') throw new ServerError('generateToken must return a string or { id }')
  const extras = Object.entries(made ?? {}).filter(([name, value]) => !own.has(name) && Boolean(value))
  return { id, extras: Object.fromEntries(extras) }
}
