import type { Operation } from '@modelwire/core'
import type { AnswerParts } from './answers.ts'
import type { Schema } from './openapi-types.ts'

const facts: Schema = {
  type: 'object',
  properties: {
    statusCode: { type: 'integer' },
    name: { type: 'string' },
    message: { type: 'string' },
    code: { type: 'string', description: 'says what is wrong, the same in every release' },
    details: { description: 'what is wrong with which property, or the errors of a list' }
  },
  required: ['statusCode', 'message']
}

/** The body of an error. */
export function errorReference({ components, errorMember }: AnswerParts): Schema {
  return components.reference('Error', () =>
    errorMember === undefined
      ? { ...facts, description: 'An error' }
      : { type: 'object', description: 'An error', properties: { [errorMember]: facts }, required: [errorMember] }
  )
}

/** Errors that several operations have, by status. */
const texts: ReadonlyMap<number, string> = new Map([
  [400, 'The request is malformed'],
  [401, 'There is no valid access token, or it may not do this'],
  [403, 'The caller may not do this'],
  [404, 'There is no such record'],
  [409, 'Another record is in the way'],
  [415, 'The body is of a type that is not read'],
  [422, 'The record breaks a rule; details say which']
])

const writesRecords =
  /^(?:create|patchOrCreate|replaceOrCreate|upsertWithWhere|replaceById|updateAll|prototype\.patchAttributes)$/
const writesRelated = new Set(['create', 'update', 'updateById', 'link'])

function mayBeMissing({ onInstance, foundNothing, name }: Operation): boolean {
  return onInstance || foundNothing !== undefined || name === 'replaceById' || name === 'deleteById'
}

function isWriting({ name, relatedBy, accessType }: Operation): boolean {
  return (
    (relatedBy === undefined ? writesRecords.test(name) : writesRelated.has(relatedBy.method)) && accessType === 'WRITE'
  )
}

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

/** The errors of an operation by status; `default` stands for all others. */
export function errorAnswers(operation: Operation, verb: string, parts: AnswerParts): Record<string, object> {
  const content = verb === 'head' ? {} : { content: { 'application/json': { schema: errorReference(parts) } } }
  const known = statusesOf(operation, verb, parts).map((status) => [status, texts.get(status) ?? 'Error'] as const)
  const { errorStatus } = operation
  const own = errorStatus === undefined ? [] : [[errorStatus, 'The method failed'] as const]
  const answers = [...known, ...own].map(([status, description]) => [status, { description, ...content }] as const)
  return { ...Object.fromEntries(answers), default: { description: 'An error', ...content } }
}
