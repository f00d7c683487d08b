import { NotImplemented } from '@modelwire/core'
import type { Pattern } from '@modelwire/core/connector'

/** The operators that find texts by a regular expression. */
export interface RegexTest {
  readonly $regex: string
  readonly $options?: string
}

/**
 * The test of a pattern as the server understands it: what JavaScript and PCRE write in different ways is rewritten.
 * Undefined where no stored text can match.
 */
export function regexTest({ source, ignoreCase }: Pattern): RegexTest | undefined {
  if (!source.isWellFormed()) return undefined
  const $regex = inPcre(source)
  return ignoreCase ? { $regex, $options: 'i' } : { $regex }
}

/** Bytes of an expression that every server reads. */
const longestExpression = 30_000

/** Why texts cannot be compared by an expression. */
export const tooLong = (): NotImplemented =>
  new NotImplemented('texts of this length cannot be compared in a collection with a collation')

/**
 * The tests of which one finds each text: expressions, which no collation changes.
 * @throws {NotImplemented} a text is longer than an expression may be
 */
export function exactTests(texts: readonly string[]): readonly RegexTest[] {
  const chunks: string[] = []
  for (const text of texts) {
    const source = inPcre(text.replaceAll(/[\^$.*+?()[\]{}|\\/-]/g, String.raw`\$&`))
    const joined = chunks.length === 0 ? source : `${chunks.at(-1) ?? ''}|${source}`
    if (Buffer.byteLength(source) > longestExpression) throw tooLong()
    if (chunks.length > 0 && Buffer.byteLength(joined) <= longestExpression) chunks.splice(-1, 1, joined)
    else chunks.push(source)
  }
  // To PCRE, `$` is also before the end of the last line.
  return chunks.map((source) => ({ $regex: String.raw`^(?:${source})(?![\s\S])` }))
}

const pieces = /\\u\{([\da-f]+)\}|\\u([\da-f]{4})|\\[^]|\[\^\]|\[\]|\0/giu

/** `[^]` is any character and `[]` none, code points have other escapes, and NUL cannot stand as it is. */
function inPcre(source: string): string {
  return source.replaceAll(pieces, (piece: string, long: string | undefined, short: string | undefined) => {
    const code = long ?? short
    if (code !== undefined) return characterOf(Number.parseInt(code, 16))
    if (piece === '[^]') return String.raw`[\s\S]`
    if (piece === '[]') return '(?!)'
    return piece.endsWith('\0') ? String.raw`\x00` : piece
  })
}

/** A character that means something is escaped; halves of surrogate pairs match nothing that is stored. */
function characterOf(code: number): string {
  const character = code > 0x10_ffff ? '\ud800' : String.fromCodePoint(code)
  if (!character.isWellFormed()) return '(?!)'
  if (character === '\0') return String.raw`\x00`
  return /[\^$.*+?()[\]{}|\\/-]/.test(character) ? `\\${character}` : character
}
