import type { Operation } from '@modelwire/core/plugin'
import { successStatus } from '@modelwire/rest'
import { shortName } from '@modelwire/core/connector'
import { type Definitions, nameWithRelations, type Variants } from './model-definition.ts'
import type { SwaggerSchema, WrittenType } from './swagger-schema.ts'
import { textOf, withoutAbsent } from '../api/documented-routes.ts'
import { isPrimitive, writtenName, writtenSchema } from './written-schema.ts'
import { objectsIn, type WrittenValue, writtenReturns } from './written-arguments.ts'

/** The components that responses refer to. */
export interface AnswerParts {
  readonly definitions: Definitions
  readonly variants: Variants
  /** The status of responses to operations that create a record. */
  readonly createdStatus: 200 | 201
}

/** LB3: so may methods of the application that are called like those that read records. */
function mayNameRelated({ effect, name }: Operation): boolean {
  return effect.verb === 'find' || (effect.verb === 'call' && shortName(name).startsWith('find'))
}

function namesRelated(operation: Operation, type: unknown, { definitions, variants }: AnswerParts): unknown {
  if (!variants.withRelations || !mayNameRelated(operation)) return type
  const name: unknown = Array.isArray(type) ? type[0] : type
  if (typeof name !== 'string' || operation.model.registry.find(name) === undefined) return type
  const related = nameWithRelations(name, variants)
  if (!definitions.has(related)) return type
  return Array.isArray(type) ? [related] : related
}

function rootSchema(operation: Operation, { written }: WrittenValue, parts: AnswerParts): SwaggerSchema {
  const { model, type } = written
  if (typeof model === 'string' && parts.definitions.has(model)) return { $ref: parts.definitions.reference(model) }
  return writtenSchema({ ...written, type: namesRelated(operation, type, parts) }, parts.definitions)
}

/** LB3: a type of a value in the answer that has no name of its own in documents is any object. */
function valueSchema(written: WrittenType, definitions: Definitions): SwaggerSchema {
  let name = writtenName(written['type'])
  let otherwise: SwaggerSchema = { type: 'object' }
  while (typeof name !== 'string') {
    name = writtenName(name[0])
    otherwise = { type: 'array', items: otherwise }
  }
  const isKnown = isPrimitive(name) || definitions.has(name)
  return isKnown ? writtenSchema(written, definitions) : otherwise
}

function objectSchema(values: readonly WrittenValue[], { definitions }: AnswerParts): SwaggerSchema {
  const required = values.filter((value) => value.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(values.map(({ name, written }) => [name, valueSchema(written, definitions)])),
    ...(required.length === 0 ? {} : { required })
  }
}

function bodySchema(operation: Operation, parts: AnswerParts): SwaggerSchema | undefined {
  if (operation.returns.length === 0) return undefined
  const values = writtenReturns(operation)
  const [first] = values
  const answer = operation.loopbackText?.answer
  if (answer !== undefined) return answer
  if (values.length === 1 && first?.root === true) return rootSchema(operation, first, parts)
  if (values.length === 1 && first?.written['type'] === 'ReadableStream') return { type: 'file' }
  return objectSchema(values, parts)
}

function examples({ written }: Operation): SwaggerSchema {
  const [first] = objectsIn(written?.['returns'])
  return first?.['example'] === undefined ? {} : { examples: { 'application/json': first['example'] } }
}

/** Errors that a remote method declares, and its own status of them. */
function declaredErrors({ written, errorStatus }: Operation, { definitions }: AnswerParts): [string, SwaggerSchema][] {
  const declared = objectsIn(written?.['errors']).map(({ code, message, responseModel }): [string, SwaggerSchema] => [
    String(code),
    {
      description: textOf(message) ?? '',
      ...(responseModel === undefined ? {} : { schema: writtenSchema(responseModel, definitions) })
    }
  ])
  const isKnown = errorStatus === undefined || declared.some(([code]) => code === String(errorStatus))
  return isKnown ? declared : [...declared, [String(errorStatus), { description: 'Unknown error' }]]
}

/**
 * The responses of an operation by status.
 * @see LoopBack 3: loopback-swagger, lib/specgen/route-helper.js
 */
export function swaggerAnswers(operation: Operation, parts: AnswerParts): Record<string, SwaggerSchema> {
  const status = successStatus(operation, parts.createdStatus)
  const success = {
    description: 'Request was successful',
    ...withoutAbsent({ schema: bodySchema(operation, parts) }),
    ...examples(operation)
  }
  return { [status]: success, ...Object.fromEntries(declaredErrors(operation, parts)) }
}
