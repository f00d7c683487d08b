import { Model, type OperationContext } from '@modelwire/core'
import { type Operation, Records, stateOf, versionedBy } from '@modelwire/core/plugin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasAlready, readEntityTags, textTag, versionTag } from './entity-tags.ts'

/** Sets the entity tags of answers. Each function gives true where the client has the answer already: then 304 is enough. */
export interface Tagging {
  /** By the version of the one record that was found or written. @param kind of the representation that is sent */
  readonly tagsResult: (
    request: FastifyRequest,
    reply: FastifyReply,
    context: OperationContext,
    kind: string
  ) => boolean
  /** By the text of a list. */
  readonly tagsText: (request: FastifyRequest, reply: FastifyReply, text: string) => boolean
}

/** The one record that an answer shows, where it shows nothing else: related records have versions of their own. */
function shownRecord(result: unknown): Readonly<Record<string, unknown>> | undefined {
  if (result instanceof Records) return result.single && result.related === undefined ? result.rows[0] : undefined
  return result instanceof Model && stateOf(result).related === undefined ? result : undefined
}

/** Compiles the entity tags of an operation's answers; undefined where they have none. @param listTags lists have weak ones */
export function compileTagging(operation: Operation, listTags: boolean): Tagging | undefined {
  const { verb, subject } = operation.effect
  const isRead = verb === 'find'
  const property = versionedBy(operation)?.optimisticLocking.property
  const isTaggedList = listTags && isRead && subject === 'set'
  if (property === undefined && !isTaggedList) return undefined
  const tag = (request: FastifyRequest, reply: FastifyReply, value: string): boolean => {
    void reply.header('etag', value)
    const known = isRead ? readEntityTags('If-None-Match', request.headers['if-none-match']) : undefined
    return known !== undefined && hasAlready(known, value)
  }
  return {
    tagsResult(request, reply, { result }, kind) {
      const version = property === undefined ? undefined : shownRecord(result)?.[property]
      return typeof version === 'string' && version !== '' && tag(request, reply, versionTag(version, kind))
    },
    tagsText: (request, reply, text) => isTaggedList && tag(request, reply, textTag(text))
  }
}
