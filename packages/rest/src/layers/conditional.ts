import { createHash } from 'node:crypto'
import { InvalidArgument, Model } from '@modelwire/core'
import {
  applyPrecondition,
  type Operation,
  takesPreconditions,
  Records,
  stateOf,
  versionedBy
} from '@modelwire/core/plugin'
import { toCallbackHook } from '@modelwire/server'
import type { FastifyRequest } from 'fastify'
import { contextOf } from '../http-context.ts'
import type { Answer } from '../output/send-result.ts'
import type { Layer, Steps } from './layer.ts'

/** The entity tags of `If-Match` or `If-None-Match` (RFC 9110, 8.8.3), by their opaque values. */
export interface EntityTags {
  /** True for `*`, which any stored record matches. */
  readonly any: boolean
  readonly strong: readonly string[]
  /** Including weak ones. */
  readonly all: readonly string[]
}

/**
 * Parses a list of entity tags; undefined if there is none.
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

/** True if one of the tags, by their opaque values, is this version. */
export const nameVersion = (tags: readonly string[], version: unknown): boolean =>
  tags.some((text) => versionIn(text) === version)

/** The weak entity tag of a text: equal texts have equal tags. */
export const textTag = (text: string): string =>
  `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`

/** True if a client already has the representation with this tag: tags are compared weakly. */
export const hasAlready = ({ any, all }: EntityTags, tag: string): boolean =>
  any || all.includes(tag.slice(tag.indexOf('"') + 1, -1))

function preconditionOf(operation: Operation, { headers }: FastifyRequest): Parameters<typeof applyPrecondition>[1] {
  const match = readEntityTags('If-Match', headers['if-match'])
  const noneMatch = readEntityTags('If-None-Match', headers['if-none-match'])
  if (match === undefined && noneMatch === undefined) return undefined
  if (noneMatch !== undefined && operation.effect.verb === 'upsert')
    throw new InvalidArgument('If-None-Match: create the record with POST, which never changes an existing one')
  return {
    accepts: (version) =>
      (match === undefined || match.any || nameVersion(match.strong, version)) &&
      (noneMatch === undefined || !(noneMatch.any || nameVersion(noneMatch.all, version)))
  }
}

/**
 * The preconditions of an operation that changes one record. Its hook throws `PreconditionFailed` (412) or, where the model
 * demands `If-Match`, `PreconditionRequired` (428).
 */
function preconditionSteps(operation: Operation): Steps | undefined {
  if (!takesPreconditions(operation)) return undefined
  const apply = toCallbackHook((request) => applyPrecondition(contextOf(request), preconditionOf(operation, request)))
  return { hooks: () => ({ preHandler: [apply] }) }
}

/** The one record that an answer shows, where it shows nothing else: related records have versions of their own. */
function shownRecord(result: unknown): Readonly<Record<string, unknown>> | undefined {
  if (result instanceof Records) return result.single && result.related === undefined ? result.rows[0] : undefined
  return result instanceof Model && stateOf(result).related === undefined ? result : undefined
}

/** The entity tags of an operation's answers: 304 is enough for a client that has the answer already. @param listTags lists have weak ones */
function taggingSteps(operation: Operation, listTags: boolean): Steps {
  const { verb, subject } = operation.effect
  const isRead = verb === 'find'
  const property = versionedBy(operation)?.optimisticLocking.property
  const tag = ({ request, reply }: Answer, value: string): boolean => {
    void reply.header('etag', value)
    const known = isRead ? readEntityTags('If-None-Match', request.headers['if-none-match']) : undefined
    if (known === undefined || !hasAlready(known, value)) return false
    void reply.code(304).send()
    return true
  }
  const tagByVersion = (answer: Answer): boolean => {
    const version = property === undefined ? undefined : shownRecord(answer.context.result)?.[property]
    return typeof version === 'string' && version !== '' && tag(answer, versionTag(version, answer.kind))
  }
  return {
    beforeWriting: property === undefined ? undefined : tagByVersion,
    beforeSending: listTags && isRead && subject === 'set' ? (answer, text) => tag(answer, textTag(text)) : undefined
  }
}

/** Conditional requests (RFC 9110, 13): entity tags, and conditions on them. */
export const conditional: Layer = {
  headers: { request: ['if-match', 'if-none-match'], response: ['etag'] },
  mount: ({ settings: { listETags } }) => ({
    claim: ({ operation }) => ({ ...preconditionSteps(operation), ...taggingSteps(operation, listETags) }),
    document: () => ({ listTags: listETags })
  })
}
