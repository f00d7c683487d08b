import { InvalidArgument } from '@modelwire/core'
import { RE2JS, RE2JSException } from 're2js'

const written: Readonly<Record<string, string>> = { '*': '.*', '?': '.' }

/** One character class, one escaped character, or one character. */
const tokens = /\[\^?(?:\\.|[^\]\\])*\]|\\.|./gsu

const quote = (text: string): string => RE2JS.quote(text)

/** The members of a class, as regular expressions write them. */
const members = (text: string): string => text.replaceAll(/\\(.)/gsu, '$1').replaceAll(/[[\]\\&~|^]/g, String.raw`\$&`)

function translate(token: string): string {
  const known = written[token]
  if (known !== undefined) return known
  if (token.startsWith('\\')) return quote(token.slice(1) || token)
  if (token.length < 2 || !token.startsWith('[')) return quote(token)
  const negated = token.startsWith('[^')
  const inside = members(token.slice(negated ? 2 : 1, -1))
  if (inside === '') return negated ? '.' : '[^\\x00-\\x{10FFFF}]'
  return `[${negated ? '^' : ''}${inside}]`
}

/**
 * Compiles a pattern of keys to a test that takes linear time.
 * @throws {InvalidArgument} a range of the pattern is none
 * @see the command KEYS of Redis
 */
export function compileGlob(pattern: string): (key: string) => boolean {
  const source = (pattern.match(tokens) ?? []).map(translate).join('')
  try {
    const compiled = RE2JS.compile(source, RE2JS.DOTALL)
    return (key) => compiled.matches(key)
  } catch (cause) {
    if (cause instanceof RE2JSException) throw new InvalidArgument('match is malformed', { cause })
    throw cause
  }
}
