import type { RE2JS } from 're2js'
import { InvalidPattern, LimitExceeded } from '../errors.ts'
import type { Anchor, LikeToken, Pattern, Wildcards } from '../contract/condition.ts'
import { readLikeTokens, matchLike, type TextTest } from './match-like.ts'
import { createRequire } from 'node:module'
import type * as Re2js from 're2js'

const load = createRequire(import.meta.url)

/** Escapes that mean the same in both, and those that `translateRegExp` knows. */
const translatable = /^\\[dDwWsSbBnrtvf0-9cxu]$/

const punctuation = /^\\[!-/:-@[-`{-~]$/

/** How to read a pattern. */
export interface PatternOptions {
  readonly ignoreCase?: boolean
  /** `^` and `$` also match at line ends. Only for regular expressions. */
  readonly multiline?: boolean
  /** Maximum length of the expression in characters; 1,000 by default. */
  readonly maxLength?: number
}

const defaultMaxLength = 1000
/** Instructions of a compiled expression: a text of the longest allowed length, and half of it repeated. */
const maxProgramSize = 2000
/** What `roughSize` may say: it counts alternatives one by one that RE2 joins. */
const maxRoughSize = 10 * maxProgramSize

/**
 * The pattern of a `like`: `%` is any string, `_` any one character, and it may match anywhere. Other characters with a
 * meaning in regular expressions keep it, as in LoopBack 3, unless the operand is not a valid expression. An empty operand
 * matches nothing.
 * @throws {InvalidPattern} it repeats nothing, like `*`, or needs what has no linear running time
 * @throws {LimitExceeded} it is too long
 * @see recording filter/patterns
 */
export function likePattern(like: string, options: PatternOptions = {}): Pattern {
  checkLength(like, options)
  const ignoreCase = options.ignoreCase === true
  const source = sourceOfLike(like)
  const tokens = readLikeTokens(like)
  const asLike = { wildcards: { tokens, anchor: 'connector' }, readsAll: true } as const
  if (like === '') return { source, ignoreCase, ...asLike, test: () => false }
  if (!expressionOnly.test(like)) return { source, ignoreCase, ...asLike, test: matchLike(tokens, ignoreCase) }
  if (isExpression(source)) return { ...compileExpression(source, options), ...asLike }
  if (like.startsWith('*')) throw new InvalidPattern('a pattern cannot start with *: there is nothing to repeat')
  return { source: sourceOf(tokens), ignoreCase, ...asLike, test: matchLike(tokens, ignoreCase) }
}

/**
 * The pattern of literals and wildcards that match where their anchor says; `connector` and `none`: anywhere.
 * @throws {LimitExceeded} it is too long
 */
export function wildcardPattern(
  wildcards: Wildcards,
  { ignoreCase, readsAll }: Pick<Pattern, 'ignoreCase' | 'readsAll'>
): Pattern {
  const { tokens, anchor } = wildcards
  checkLength(tokens.map((token) => (token.kind === 'text' ? token.text : '_')).join(''), {})
  const [start, end] = anchors[anchor]
  const source = `${start}${sourceOf(tokens)}${end}`
  const test = testOf(wildcards, ignoreCase)
  if (test !== undefined) return { source, ignoreCase, wildcards, readsAll, test }
  return { ...compileExpression(source, { ignoreCase }), wildcards, readsAll }
}

const anchors: Readonly<Record<Anchor, readonly [start: string, end: string]>> = {
  none: ['', ''],
  connector: ['', ''],
  start: ['^', ''],
  end: ['', '$'],
  whole: ['^', '$']
}

/** The test of wildcards for which no expression is needed. */
function testOf({ tokens, anchor }: Wildcards, ignoreCase: boolean): TextTest | undefined {
  if (anchors[anchor].join('') === '') return matchLike(tokens, ignoreCase)
  const prefix = anchor === 'start' && !ignoreCase ? plainText(tokens) : undefined
  return prefix === undefined ? undefined : (text) => text.startsWith(prefix)
}

/** The literal string of tokens without a wildcard; undefined if there is one. */
export function plainText(tokens: readonly LikeToken[]): string | undefined {
  return tokens.every((token) => token.kind === 'text') ? tokens.map(({ text }) => text).join('') : undefined
}

const sourceOf = (tokens: readonly LikeToken[]): string => tokens.map(sourceOfToken).join('')

/**
 * The pattern of a `regexp`. An operand that is not a valid regular expression is searched for literally.
 * @throws {InvalidPattern} it needs what has no linear running time: look-around, back-references
 * @throws {LimitExceeded} it is too long
 * @see recording filter/regexp
 */
export function regexpPattern(source: string, options: PatternOptions = {}): Pattern {
  checkLength(source, options)
  return compileExpression(isExpression(source) ? source : escapeText(source), options)
}

/**
 * Parses `/source/flags`; an operand that does not start with a slash is a source without flags.
 * @throws {InvalidPattern} there is no second slash, a flag is none of g, i and m, or the source is not an expression
 */
export function parseRegexp(text: string): { source: string; flags: string } {
  if (!text.startsWith('/')) return { source: text, flags: '' }
  const end = text.lastIndexOf('/')
  const [source, flags] = [text.slice(1, end), text.slice(end + 1)]
  if (end === 0) throw new InvalidPattern('a regular expression that starts with a slash must end with one')
  if (!areFlags(flags)) throw new InvalidPattern(`a regular expression cannot have the flags "${flags}"`)
  if (!isExpression(source)) throw new InvalidPattern(`/${source}/ is not a valid regular expression`)
  return { source, flags }
}

/** The pattern of a `RegExp` from the application's own code, which is trusted to run fast. */
export function codePattern(regexp: RegExp): Pattern {
  // The flags g and y would make each test start where the last one ended.
  const stateless = new RegExp(regexp.source, regexp.flags.replaceAll(/[gy]/g, ''))
  return { source: regexp.source, ignoreCase: regexp.ignoreCase, readsAll: false, test: (text) => stateless.test(text) }
}

/** The pattern of a `like` that is a `RegExp`: databases that support `like` read its source as one. */
export const codeLikePattern = (regexp: RegExp): Pattern => ({
  ...codePattern(regexp),
  wildcards: { tokens: readLikeTokens(regexp.source), anchor: 'connector' },
  readsAll: true
})

function areFlags(flags: string): boolean {
  return flags.length <= 3 && /^[gim]*$/.test(flags) && new Set(flags).size === flags.length
}

/** Anything but plain characters, `%`, `_` and their escapes. */
const expressionOnly = /[\^$.*+?()[\]{}|]|\\(?![%_\\])/

function checkLength(text: string, { maxLength = defaultMaxLength }: PatternOptions): void {
  if (text.length > maxLength) throw new LimitExceeded(`a pattern may have at most ${maxLength} characters`)
}

function sourceOfLike(like: string): string {
  return like.replaceAll(
    /\\[^]|\[(?:\\[^]|[^\\\]])*\]|[%_]/g,
    (piece) => wildcards.get(piece) ?? unescapeWildcard(piece)
  )
}

function unescapeWildcard(piece: string): string {
  return piece === String.raw`\%` || piece === String.raw`\_` ? piece.slice(1) : piece
}

const wildcards: ReadonlyMap<string, string> = new Map([
  ['%', '[^]*'],
  ['_', '[^]']
])

function sourceOfToken(token: LikeToken): string {
  if (token.kind === 'text') return escapeText(token.text)
  return token.kind === 'any' ? '[^]*' : '[^]'
}

function escapeText(text: string): string {
  return text.replaceAll(/[\^$.*+?()[\]{}|\\/]/g, String.raw`\$&`)
}

/** Only parses: V8 compiles an expression when it is first used. */
function isExpression(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp
  } catch {
    return false
  }
}

function compileExpression(source: string, { ignoreCase = false, multiline = false }: PatternOptions): Pattern {
  const { CASE_INSENSITIVE, MULTILINE } = loadRe2()
  const flags = (ignoreCase ? CASE_INSENSITIVE : 0) | (multiline ? MULTILINE : 0)
  const expression = compileLinear(source, flags)
  if (expression.programSize() > maxProgramSize) throw tooManyRepetitions()
  return { source, ignoreCase, readsAll: false, test: (text) => expression.test(text) }
}

function compileLinear(source: string, flags: number): RE2JS {
  const translated = translateRegexp(source)
  if (translated === undefined) throw unsupported(source)
  // To compile repeated groups takes seconds: afterwards it is too late to refuse them.
  if (roughSize(translated) > maxRoughSize) throw tooManyRepetitions()
  try {
    return loadRe2().compile(translated, flags)
  } catch (cause) {
    throw unsupported(source, cause)
  }
}

const tooManyRepetitions = (): LimitExceeded => new LimitExceeded('the regular expression has too many repetitions')

/** Escapes (`\x{3042}` is one), classes, beginnings of groups, counted repetitions, and other characters. */
const pieces = /\\x\{[0-9A-Fa-f]+\}|\\[^]|\[\^?\]?(?:\\[^]|[^\\\]])*\]|\(\?(?:P?<\w+>|[a-z-]*:)|\{\d+(?:,\d*)?\}|[^]/gu

/** Roughly how many instructions an expression of RE2 compiles to, by what it repeats how often. */
function roughSize(source: string): number {
  const outer: number[] = []
  let size = 0
  let last = 0
  for (const piece of source.match(pieces) ?? []) {
    const [, min, max] = /^\{(\d+)(?:,(\d*))?\}$/.exec(piece) ?? []
    if (min !== undefined) {
      const repeated = last * Math.max(1, Number(max || min))
      size += repeated - last
      last = repeated
    } else if (piece.startsWith('(')) {
      outer.push(size)
      size = 0
    } else {
      last = piece === ')' ? size + 2 : 1
      size = last + (piece === ')' ? (outer.pop() ?? 0) : size)
    }
  }
  return size
}

function unsupported(source: string, cause?: unknown): InvalidPattern {
  const reason = 'look-around, back-references and more than 1,000 repetitions are not supported'
  return new InvalidPattern(`/${source}/ cannot be matched in bounded time: ${reason}`, { cause })
}

/** The class of `re2js`, loaded by the first expression: most applications match none. */
function loadRe2(): typeof Re2js.RE2JS {
  return (load('re2js') as typeof Re2js).RE2JS // a dependency of this package
}

/**
 * A JavaScript regular expression in the syntax of RE2; undefined when it refers back to a named group.
 *
 * RE2 gives some escapes a meaning that JavaScript does not know (`\A`, `\z`, `\Q`, `\pN`, `[[:alpha:]]`): those become
 * the plain characters they are in JavaScript. `RE2JS.translateRegExp` does the rest.
 */
function translateRegexp(source: string): string | undefined {
  let inClass = false
  let plain = ''
  for (const piece of source.match(/\\[^]|[^]/gu) ?? []) {
    if (piece === String.raw`\k` && source.includes('(?<')) return undefined
    plain += inClass ? translateInClass(piece) : translateEscape(piece)
    inClass = inClass ? piece !== ']' : piece === '['
  }
  return loadRe2().translateRegExp(plain)
}

function translateInClass(piece: string): string {
  if (piece === '[') return String.raw`\[`
  if (piece === String.raw`\b`) return String.raw`\x08`
  if (piece === String.raw`\B`) return 'B'
  return translateEscape(piece)
}

function translateEscape(piece: string): string {
  if (!piece.startsWith('\\') || piece === '\\' || translatable.test(piece) || punctuation.test(piece)) return piece
  return piece.slice(1)
}
