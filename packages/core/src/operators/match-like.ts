import type { LikeToken, Anchor, Wildcards } from '../contract/condition.ts'

const wildcards: ReadonlyMap<string, LikeToken> = new Map<string, LikeToken>([
  ['%', { kind: 'any' }],
  ['_', { kind: 'one' }]
])

const surroundings = {
  none: { before: '%', after: '%' },
  start: { before: '', after: '%' },
  end: { before: '%', after: '' },
  whole: { before: '', after: '' },
  connector: undefined
} as const satisfies Readonly<Record<Anchor, unknown>>

/** Whether the pattern occurs in a string. */
export type TextTest = (text: string) => boolean

/** Finds a segment of the pattern at or after `from`: returns its end, or -1. */
type FindEnd = (text: string, from: number) => number

/**
 * Makes a test for a pattern of literals and wildcards that may match anywhere in a string. Each segment between two `%` is
 * searched once, from where the previous one ended, so time is at most the length of the string times that of the pattern.
 */
export function matchLike(tokens: readonly LikeToken[], ignoreCase: boolean): TextTest {
  const finds = splitAtAny(tokens).map((segment) => findSegment(segment, ignoreCase))
  return (text) => {
    const searched = ignoreCase ? foldCase(text) : text
    let from = 0
    for (const find of finds) {
      from = find(searched, from)
      if (from < 0) return false
    }
    return true
  }
}

function splitAtAny(tokens: readonly LikeToken[]): readonly LikeToken[][] {
  const segments: LikeToken[][] = [[]]
  for (const token of tokens) {
    if (token.kind === 'any') segments.push([])
    else segments.at(-1)?.push(token)
  }
  return segments.filter((segment) => segment.length > 0)
}

function findSegment(segment: readonly LikeToken[], ignoreCase: boolean): FindEnd {
  const parts = segment.map((token) => readPart(token, ignoreCase))
  const [first] = parts
  if (first === undefined || parts.length > 1 || first === anyOne) return (text, from) => findParts(text, parts, from)
  return (text, from) => {
    const start = text.indexOf(first, from)
    return start < 0 ? -1 : start + first.length
  }
}

const anyOne: unique symbol = Symbol('any one character')
type Part = string | typeof anyOne

function readPart(token: LikeToken, ignoreCase: boolean): Part {
  if (token.kind !== 'text') return anyOne
  return ignoreCase ? foldCase(token.text) : token.text
}

function findParts(text: string, parts: readonly Part[], from: number): number {
  let start = nextStart(text, parts, from)
  while (start >= 0 && start < text.length) {
    const end = matchParts(text, parts, start)
    if (end >= 0) return end
    start = nextStart(text, parts, start + lengthAt(text, start))
  }
  return -1
}

function nextStart(text: string, [first]: readonly Part[], from: number): number {
  return typeof first === 'string' ? text.indexOf(first, from) : from
}

function matchParts(text: string, parts: readonly Part[], start: number): number {
  let at = start
  for (const part of parts) {
    if (part === anyOne ? at >= text.length : !text.startsWith(part, at)) return -1
    at += part === anyOne ? lengthAt(text, at) : part.length
  }
  return at
}

/** A character outside the basic plane takes two places in a JavaScript text. */
function lengthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}

/** The Greek sigma has two small forms, and lower-casing chooses by what follows. */
function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

/**
 * The operand of `like`, which matches whole strings: `%` and `_` are wildcards unless escaped by a backslash.
 * @param anywhere where the anchor leaves it to the connector: a part of a text matches
 */
export function likeText({ tokens, anchor }: Wildcards, anywhere: boolean): string {
  const { before, after } = surroundings[anchor] ?? (anywhere ? surroundings.none : surroundings.whole)
  return `${before}${tokens.map(writeToken).join('')}${after}`
}

function writeToken(token: LikeToken): string {
  if (token.kind === 'text') return token.text.replaceAll(/[%_\\]/g, String.raw`\$&`)
  return token.kind === 'any' ? '%' : '_'
}

/** The tokens of a like operand. A backslash escapes `%`, `_` or itself. */
export function readLikeTokens(like: string): readonly LikeToken[] {
  const pieces = like.match(/\\[%_\\]|[^]/gu) ?? []
  const tokens: LikeToken[] = []
  for (const piece of pieces) addPiece(tokens, piece)
  return tokens
}

function addPiece(tokens: LikeToken[], piece: string): void {
  const wildcard = wildcards.get(piece)
  if (wildcard !== undefined) {
    tokens.push(wildcard)
    return
  }
  const text = piece.length === 2 && piece.startsWith('\\') ? piece.slice(1) : piece
  const last = tokens.at(-1)
  if (last?.kind === 'text') tokens[tokens.length - 1] = { kind: 'text', text: last.text + text }
  else tokens.push({ kind: 'text', text })
}
