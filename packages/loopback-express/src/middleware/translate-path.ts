import { encodeSegment } from '@modelwire/core/plugin'

/** Characters that mean something in paths of Express. */
const syntax = /[:*+()!$]/g

/** Parts of a path that are regular expressions, such as `(\\d+)` of `/:id(\\d+)`. */
const groups = /(\((?:[^()]|\([^()]*\))*\))/

/** Routes are found in any case; what is in front of them has to be as well. */
function inAnyCase(path: RegExp): RegExp {
  return path.ignoreCase ? path : new RegExp(path.source, `${path.flags}i`)
}

/** Spells a path as URLs are spelled that Express matches with it. */
function spellPath(path: string): string {
  return path
    .split(groups)
    .map((part) => (groups.test(part) ? part : spellText(part)))
    .join('')
}

function spellText(text: string): string {
  return text
    .replace(/(?:%[\da-f]{2})+/gi, spellEscapes)
    .replace(/[^\x21-\x7e]+|[";<>^`|]+/gu, (other) => encodeSegment(other.toWellFormed()))
    .replace(/\/{2,}/g, '/')
}

function spellEscapes(escapes: string): string {
  try {
    const text = decodeURIComponent(escapes)
    return /^\.+$/.test(text) ? text : encodeSegment(text).replaceAll(syntax, '\\$&')
  } catch {
    // No URL that a route is chosen by has it.
    return escapes
  }
}

/** A path whose characters are spelled as those of the URLs that Express compares it with. */
export function translatePath(path: unknown): unknown {
  if (Array.isArray(path)) return path.map(translatePath)
  if (path instanceof RegExp) return inAnyCase(path)
  return typeof path === 'string' ? spellPath(path) : path
}
