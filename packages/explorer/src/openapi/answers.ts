import { plainSchema, successStatus } from '@modelwire/rest'
import type { Operation } from '@modelwire/core/plugin'
import { textOf } from '../api/documented-routes.ts'
import { objectsIn } from '../swagger/written-arguments.ts'
import { type AnswerParts, errorAnswers } from './error-answers.ts'
import { conditionalParts, preferenceParts } from './conditional.ts'
import type { Schema } from './openapi-types.ts'
import { type SchemaParts, valueSchema } from './type-schema.ts'

const countSchema = { type: 'object', properties: { count: { type: 'integer', minimum: 0 } }, required: ['count'] }

/** True where the answer is the number of changed records, as an object. */
function givesCount({ effect }: Operation): boolean {
  return (
    effect.relation === undefined && (effect.verb === 'delete' || (effect.verb === 'patch' && effect.subject === 'set'))
  )
}

function returnSchema(
  { type, schema, documentedSchema = schema, description }: Operation['returns'][number],
  parts: SchemaParts
): Schema {
  const own = documentedSchema === undefined ? valueSchema(type, parts) : plainSchema(documentedSchema)
  return description === undefined || own['$ref'] !== undefined ? own : { ...own, description }
}

function bodySchema(operation: Operation, parts: SchemaParts): Schema | undefined {
  const values = operation.returns.filter(({ target }) => target === undefined)
  const root = values.find((value) => value.root)
  if (values.length === 0) return undefined
  if (operation.written === undefined && givesCount(operation)) return countSchema
  if (root !== undefined) return returnSchema(root, parts)
  return {
    type: 'object',
    properties: Object.fromEntries(values.map((value) => [value.name, returnSchema(value, parts)])),
    // What a function of the application leaves out is left out of the answer.
    ...(operation.runsApplicationCode === true ? {} : { required: values.map(({ name }) => name) })
  }
}

const binary: Schema = { type: 'string', format: 'binary' }

/** Answers that are not valid JSON. */
function specialContent({ returns }: Operation): object | undefined {
  // Kinds of values that are written as they are; a stream sends changes.
  const kinds: readonly string[] = returns.filter(({ target }) => target === undefined).map(({ type }) => type.kind)
  if (kinds.includes('stream')) return { 'text/event-stream': { schema: { type: 'string' } } }
  if (kinds.includes('file')) return { 'application/octet-stream': { schema: binary } }
  return undefined
}

const isShownType = (type: string): boolean => /json$|[/+]xml$/.test(type)

function contentOf(operation: Operation, parts: AnswerParts): object | undefined {
  const special = specialContent(operation)
  if (special !== undefined) return special
  const schema = bodySchema(operation, parts)
  if (schema === undefined) return undefined
  return Object.fromEntries(parts.answers.filter(isShownType).map((type) => [type, { schema }]))
}

function headersOf({ returns }: Operation, parts: SchemaParts): Record<string, object> {
  const headers = returns.filter(({ target }) => target === 'header')
  return Object.fromEntries(
    headers.map((value) => [
      value.header ?? value.name,
      {
        ...(value.description === undefined ? {} : { description: value.description }),
        schema: valueSchema(value.type, parts)
      }
    ])
  )
}

/** Errors that a remote method declares. */
function declaredErrors({ written }: Operation): [string, object][] {
  return objectsIn(written?.['errors']).flatMap(({ code, message }): [string, object][] => {
    const isStatus = /^[1-5]\d\d$/.test(String(code))
    return isStatus ? [[String(code), { description: textOf(message) ?? 'Error' }]] : []
  })
}

/** The responses of an operation by status, including errors. */
export function openApiAnswers(operation: Operation, verb: string, parts: AnswerParts): Record<string, object> {
  // A HEAD only has a status.
  const content = verb === 'head' ? undefined : contentOf(operation, parts)
  const conditional = conditionalParts(operation, parts)
  const { headers: ofPreferences } = preferenceParts(operation, parts.components)
  const headers = { ...conditional.headers, ...ofPreferences, ...headersOf(operation, parts) }
  const status = successStatus(operation, parts.createdStatus)
  const success = {
    description: operation.returns.length === 0 ? 'Done' : 'The answer',
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(content === undefined ? {} : { content })
  }
  return {
    ...errorAnswers(operation, verb, parts),
    ...conditional.responses,
    ...Object.fromEntries(declaredErrors(operation)),
    // Generators read the types of what is answered here, not behind a reference.
    [status]: success
  }
}
