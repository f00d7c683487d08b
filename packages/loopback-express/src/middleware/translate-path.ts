import { encodeSegment } from '@modelwire/core'

/** Characters that mean something in paths of Express. */
const syntax = /[:*+()!]/g

/** Routes are found in any case; what is in front of them has to be as well. */
function inAnyCase(path: RegExp): RegExp {
  return path.ignoreCase ? path : new RegExp(path.source, `${path.flags}i`)
}

/** Spells a path as URLs are spelled that Express matches with it. */
function spellPath(path: string): string {
  return path
    .replace(/(?:%[\da-f]{2})+/gi, spellEscapes)
    .replace(/[^\x21-\x7e]+|[";<>^`|]+/gu, (text) => encodeSegment(text.toWellFormed()))
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

/**
 * A path of today's Express for one of the Express of LoopBack's time: `*` and `/:name?` are written otherwise. Its characters are
 * spelled as those of the URLs that it is compared with.
 */
export function translatePath(path: unknown): unknown {
  if (Array.isArray(path)) return path.map(translatePath)
  if (path instanceof RegExp) return inAnyCase(path)
  if (typeof path !== 'string') return path
  return translateSyntax(spellPath(path))
}

function translateSyntax(path: string): string {
  if (path.includes('{')) return path
  let wildcards = 0
  return path.replace(/\/:(\w+)\?/g, '{/:$1}').replace(/\(\.\*\)|(?<!\\)\*(?!\w)/g, () => `{*wildcard${wildcards++}}`)
}

/** The same for `use`, where a root among several paths means every path: today's Express takes it so only when it is alone. */
export function translateMountPath(path: unknown): unknown {
  return Array.isArray(path) && path.includes('/') ? '/' : translatePath(path)
}
