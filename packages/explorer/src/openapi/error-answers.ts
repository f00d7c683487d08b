import { type Operation, storesData } from '@modelwire/core/plugin'
import type { Schema } from './openapi-types.ts'
import type { SchemaParts } from './type-schema.ts'

/** The dependencies for describing responses. */
export interface AnswerParts extends SchemaParts {
  /** Media types of responses, the default first. */
  readonly answers: readonly string[]
  /** The member of an error's body that contains the error. */
  readonly errorMember: string | undefined
  /** The media type of problem details; undefined if errors are never sent in that form. */
  readonly problemType: string | undefined
  /** Lists have entity tags. */
  readonly listTags: boolean
  /** The status of responses to operations that create a record. */
  readonly createdStatus: 200 | 201
  /** POST and PATCH accept an Idempotency-Key. */
  readonly idempotencyKeys: boolean
}

const shared = {
  name: { type: 'string' },
  code: { type: 'string', description: 'identifies the error, and is stable across releases' },
  details: { description: 'what is wrong with which property, or the errors of a list' }
} as const

const facts: Schema = {
  type: 'object',
  properties: { statusCode: { type: 'integer' }, message: { type: 'string' }, ...shared },
  required: ['statusCode', 'message']
}

const problem: Schema = {
  type: 'object',
  description: 'Problem details of RFC 9457',
  properties: {
    type: { type: 'string' },
    title: { type: 'string', description: 'the reason phrase of the status' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'the message' },
    ...shared
  },
  required: ['type', 'title', 'status']
}

/** Tells which clients get a `Problem` in place of an `Error`. Beside it in `content`, every typed client had to tell them apart. */
function errorDescription({ components, problemType }: AnswerParts): string {
  if (problemType === undefined) return 'An error'
  components.schema('Problem', () => problem)
  return `An error; a Problem for clients whose Accept names ${problemType}`
}

/** The body of an error. */
export function errorReference(parts: AnswerParts): Schema {
  const { components, errorMember } = parts
  return components.schema('Error', () => {
    const description = errorDescription(parts)
    if (errorMember === undefined) return { ...facts, description }
    return { type: 'object', description, properties: { [errorMember]: facts }, required: [errorMember] }
  })
}

/** The errors of operations by status, each with the name by which operations share it. */
const answers = {
  404: ['NotFound', 'No such record'],
  409: ['Conflict', 'The request conflicts with another record'],
  422: ['Invalid', 'The record breaks a rule; details say which'],
  default: [
    'Error',
    'Any other error: 400 malformed, 401 or 403 not allowed, 415 unsupported media type, 5xx server error'
  ]
} as const

function mayBeMissing({ onInstance, foundNothing, effect }: Operation): boolean {
  const changesById = effect.idIn === 'path' && (effect.verb === 'replace' || effect.verb === 'delete')
  return onInstance || foundNothing !== undefined || changesById
}

/** What it writes may break a rule. */
const isWriting = ({ effect }: Operation): boolean => storesData(effect) || effect.verb === 'link'

/** The response for one of these errors; that to a HEAD has no body. */
export function errorAnswer(status: keyof typeof answers, verb: string, parts: AnswerParts): object {
  const [name, description] = answers[status]
  if (verb === 'head') return parts.components.share('responses', `${name}Head`, { description })
  const content = { 'application/json': { schema: errorReference(parts) } }
  return parts.components.share('responses', name, { description, content })
}

/** The errors of an operation by status; `default` stands for all others, which callers need not distinguish. */
export function errorAnswers(operation: Operation, verb: string, parts: AnswerParts): Record<string, object> {
  const { errorStatus } = operation
  const content = verb === 'head' ? {} : { content: { 'application/json': { schema: errorReference(parts) } } }
  return {
    ...(mayBeMissing(operation) && { 404: errorAnswer(404, verb, parts) }),
    ...(isWriting(operation) && { 409: errorAnswer(409, verb, parts), 422: errorAnswer(422, verb, parts) }),
    ...(errorStatus !== undefined && { [errorStatus]: { description: 'The method failed', ...content } }),
    default: errorAnswer('default', verb, parts)
  }
}
