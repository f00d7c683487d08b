import type { LikeToken } from '../contract/comparison.ts'

/** Whether the pattern occurs in a text. */
export type TextTest = (text: string) => boolean

/** Finds a segment of the pattern at or after `from`: where it ends, or -1. */
type FindEnd = (text: string, from: number) => number

/**
 * Makes a test for a pattern of texts and wildcards that may match anywhere in a text. Each segment between two `%` is
 * searched once, from where the one before ended, so time is at most the length of the text times that of the pattern.
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
