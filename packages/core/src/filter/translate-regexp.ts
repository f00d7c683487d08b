import { createRequire } from 'node:module'
import type * as Re2js from 're2js'

const load = createRequire(import.meta.url)

/** The class of `re2js`, loaded by the first expression: most applications match none. */
export function loadRe2(): typeof Re2js.RE2JS {
  return (load('re2js') as typeof Re2js).RE2JS // a dependency of this package
}

/**
 * A JavaScript regular expression in the syntax of RE2; undefined when it refers back to a named group.
 *
 * RE2 gives some escapes a meaning that JavaScript does not know (`\A`, `\z`, `\Q`, `\pN`, `[[:alpha:]]`): those become
 * the plain characters they are in JavaScript. `RE2JS.translateRegExp` does the rest.
 */
export function translateRegexp(source: string): string | undefined {
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

/** Escapes that mean the same in both, and those that `translateRegExp` knows. */
const translatable = /^\\[dDwWsSbBnrtvf0-9cxu]$/
const punctuation = /^\\[!-/:-@[-`{-~]$/

function translateEscape(piece: string): string {
  if (!piece.startsWith('\\') || piece === '\\' || translatable.test(piece) || punctuation.test(piece)) return piece
  return piece.slice(1)
}
