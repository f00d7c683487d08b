import { type Operation, storesData } from '@modelwire/core/plugin'
import type { AnswerParts } from './answer-parts.ts'
import type { Schema } from './openapi-types.ts'

const shared = {
  name: { type: 'string' },
  code: { type: 'string', description: 'says what is wrong, the same in every release' },
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
    title: { type: 'string', description: 'the phrase of the status' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'the message' },
    ...shared
  },
  required: ['type', 'title', 'status']
}

/** Tells which clients get a `Problem` in place of an `Error`. Beside it in `content`, every typed client had to tell them apart. */
function errorDescription({ components, problemType }: AnswerParts): string {
  if (problemType === undefined) return 'An error'
  components.reference('Problem', () => problem)
  return `An error; a Problem for clients whose Accept names ${problemType}`
}

/** The body of an error. */
export function errorReference(parts: AnswerParts): Schema {
  const { components, errorMember } = parts
  return components.reference('Error', () => {
    const description = errorDescription(parts)
    if (errorMember === undefined) return { ...facts, description }
    return { type: 'object', description, properties: { [errorMember]: facts }, required: [errorMember] }
  })
}

/** Errors that several operations have, by status. */
const texts: ReadonlyMap<number, string> = new Map([
  [400, 'The request is malformed'],
  [401, 'The access token is missing or invalid, or does not allow this'],
  [403, 'The caller may not do this'],
  [404, 'No such record'],
  [409, 'Another record is in the way'],
  [415, 'The body is of a type that is not read'],
  [422, 'The record breaks a rule; details say which']
])

function mayBeMissing({ onInstance, foundNothing, effect }: Operation): boolean {
  const changesById = effect.idIn === 'path' && (effect.verb === 'replace' || effect.verb === 'delete')
  return onInstance || foundNothing !== undefined || changesById
}

/** What it writes may break a rule. */
const isWriting = ({ effect }: Operation): boolean => storesData(effect) || effect.verb === 'link'

function statusesOf(operation: Operation, verb: string, { isGuarded }: AnswerParts): number[] {
  const hasBody =
    verb !== 'get' && verb !== 'head' && operation.accepts.some(({ source }) => /body|form|any/i.test(source))
  return [
    ...(operation.accepts.length > 0 || operation.onInstance ? [400] : []),
    ...(isGuarded(operation) ? [401, 403] : []),
    ...(mayBeMissing(operation) ? [404] : []),
    ...(hasBody ? [415] : []),
    ...(isWriting(operation) ? [409, 422] : [])
  ]
}

const responseNames: ReadonlyMap<number, string> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [409, 'Conflict'],
  [415, 'UnsupportedMediaType'],
  [422, 'Invalid']
])

/** The errors of an operation by status; `default` stands for all others. */
export function errorAnswers(operation: Operation, verb: string, parts: AnswerParts): Record<string, object> {
  const content = verb === 'head' ? {} : { content: { 'application/json': { schema: errorReference(parts) } } }
  const sharedAnswer = (name: string, description: string): object =>
    verb === 'head' ? { description } : parts.responses.reference(name, () => ({ description, ...content }))
  const answers = statusesOf(operation, verb, parts).map((status) => {
    const description = texts.get(status) ?? 'Error'
    return [status, sharedAnswer(responseNames.get(status) ?? `Error${status}`, description)] as const
  })
  const { errorStatus } = operation
  const own = errorStatus === undefined ? {} : { [errorStatus]: { description: 'The method failed', ...content } }
  return { ...Object.fromEntries(answers), ...own, default: sharedAnswer('Error', 'An error') }
}
