import { createHash } from 'node:crypto'
import { InvalidArgument } from '@modelwire/core'

/** The entity tags of `If-Match` or `If-None-Match` (RFC 9110, 8.8.3), by their opaque parts. */
export interface EntityTags {
  /** True for `*`, which any stored record matches. */
  readonly any: boolean
  readonly strong: readonly string[]
  /** Weak ones included. */
  readonly all: readonly string[]
}

/**
 * Reads a list of entity tags; undefined where there is none.
 * @throws {InvalidArgument} it is malformed
 */
export function readEntityTags(name: string, header: string | undefined): EntityTags | undefined {
  if (header === undefined) return undefined
  if (header.trim() === '*') return { any: true, strong: [], all: [] }
  const strong: string[] = []
  const all: string[] = []
  const next = /[ \t]*(?:(W\/)?"([^"\s]*)")?[ \t]*(?:,|$)/y
  while (next.lastIndex < header.length) {
    const found = next.exec(header)
    if (found === null) throw new InvalidArgument(`${name} must be * or a list of entity tags such as "abc"`)
    const [, weak, text] = found
    if (text === undefined) continue
    all.push(text)
    if (weak === undefined) strong.push(text)
  }
  if (all.length === 0) throw new InvalidArgument(`${name} must be * or a list of entity tags such as "abc"`)
  return { any: false, strong, all }
}

/** Versions hold no dot: what comes after one tells representations of one version apart. */
const separator = '.'

/** The strong entity tag of one representation of a record: `"<version>"`, or `"<version>.xml"`. */
export const versionTag = (version: string, kind: string): string =>
  `"${kind === 'json' ? version : version + separator + kind}"`

/** The version that the opaque part of an entity tag names. */
const versionIn = (text: string): string => text.split(separator, 1)[0] ?? ''

/** True where one of the tags, by their opaque parts, names this version. */
export const nameVersion = (tags: readonly string[], version: unknown): boolean =>
  tags.some((text) => versionIn(text) === version)

/** The weak entity tag of a text: of equal texts, equal. */
export const textTag = (text: string): string =>
  `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`

/** True where a client has the representation with this tag already: tags are compared weakly. */
export const hasAlready = ({ any, all }: EntityTags, tag: string): boolean =>
  any || all.includes(tag.slice(tag.indexOf('"') + 1, -1))
