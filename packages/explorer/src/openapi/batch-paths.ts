import type { Mount } from '@modelwire/core/plugin'
import { isComposite, type ModelType } from '@modelwire/core/connector'
import { tagName } from '../api/tags.ts'
import { type AnswerParts, errorAnswer, errorReference } from './error-answers.ts'
import type { Schema } from './openapi-types.ts'
import { idempotencyParameters } from './parameters.ts'
import { changeReference, creationReference, patchReference, recordReference } from './record-schemas.ts'
import { propertySchema } from './type-schema.ts'

type Paths = Record<string, Record<string, object>>

const list = (items: Schema, limit: number): Schema => ({ type: 'array', items, maxItems: limit })

const atomic: Schema = {
  type: 'boolean',
  default: false,
  description: 'all or none: in one transaction, which is rolled back if a request is refused'
}

const status: Schema = { type: 'integer', description: "the status of the request's own response" }
const headers: Schema = { type: 'object', additionalProperties: { type: 'string' } }

/** The answer to one request. */
const answered = (body: Schema, more: Readonly<Record<string, Schema>> = {}): Schema => ({
  type: 'object',
  properties: { ...more, status, headers, body },
  required: [...Object.keys(more), 'status', 'headers']
})

const jsonContent = (schema: Schema) => ({ content: { 'application/json': { schema } } })

/** An operation with its answers: the errors are those of a batch as a whole. */
function toOperation(facts: object, body: Schema, answer: Schema, parts: AnswerParts): object {
  const error = (name: string, description: string) =>
    parts.components.share('responses', name, { description, ...jsonContent(errorReference(parts)) })
  return {
    ...facts,
    parameters: idempotencyParameters(parts),
    requestBody: { required: true, ...jsonContent(body) },
    responses: {
      200: { description: 'The outcome of each request', ...jsonContent(answer) },
      400: error('BatchMalformed', 'The batch is malformed; nothing was executed'),
      422: error('BatchRefused', 'A request of an atomic batch was refused; nothing was changed'),
      default: errorAnswer('default', 'post', parts)
    }
  }
}

const batchOperation = ({ schema }: NonNullable<Mount['batch']>, parts: AnswerParts): object =>
  toOperation(
    { operationId: 'batch', summary: 'Send several requests as one' },
    schema,
    {
      type: 'object',
      properties: {
        responses: {
          type: 'array',
          items: answered({ description: 'the response of the request' }, { id: { type: 'string' } })
        }
      },
      required: ['responses']
    },
    parts
  )

function idSchema(model: ModelType, parts: AnswerParts): Schema {
  const { idProperty } = model
  // As it stands in a path.
  if (isComposite(model)) return { type: 'string' }
  return idProperty === undefined ? {} : propertySchema(idProperty, parts)
}

function bulkOperation(
  { model, verbs }: NonNullable<Mount['batch']>['bulk'][number],
  limit: number,
  parts: AnswerParts
): object {
  const items: Readonly<Record<string, () => Schema>> = {
    create: () => creationReference(model, parts),
    update: () => changeReference(model, parts),
    upsert: () => patchReference(model, parts),
    delete: () => idSchema(model, parts)
  }
  const sent = verbs.map((verb) => [verb, list(items[verb]?.() ?? {}, limit)] as const)
  const record = parts.components.schema(`${model.name}Written`, () =>
    answered({ anyOf: [recordReference(model, parts), errorReference(parts), { type: 'object' }] })
  )
  const answers = verbs.map((verb) => [verb, list(record, limit)] as const)
  return toOperation(
    { tags: [tagName(model)], operationId: `${model.plural}Bulk`, summary: 'Write many records' },
    { type: 'object', properties: { atomic, ...Object.fromEntries(sent) }, additionalProperties: false },
    { type: 'object', properties: Object.fromEntries(answers) },
    parts
  )
}

/**
 * The paths of batches and bulk requests.
 * @param documented the models that documents show
 */
export function batchPaths({ batch }: Mount, documented: ReadonlySet<ModelType>, parts: AnswerParts): Paths {
  if (batch === undefined) return {}
  const shown = batch.bulk.filter(({ model }) => documented.has(model))
  const bulk = shown.map((each) => [each.path, { post: bulkOperation(each, batch.limit, parts) }] as const)
  return { ...Object.fromEntries(bulk), [batch.path]: { post: batchOperation(batch, parts) } }
}
