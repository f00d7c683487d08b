import { type DocumentedRoute, isInPath } from '../api/documented-routes.ts'
import type { Definitions } from './definitions.ts'
import type { SwaggerSchema, WrittenType } from './swagger-schema.ts'
import { textOf, withoutAbsent } from '../api/text-of.ts'
import { type NameRecord, writtenSchema } from './written-schema.ts'
import { writtenArguments, type WrittenValue } from './written-arguments.ts'

/** What parameters refer to. */
export interface ParameterParts {
  readonly definitions: Definitions
  readonly nameRecord: NameRecord
}

function placeOf(route: DocumentedRoute, { name, source }: WrittenValue): string {
  if (source === 'form') return 'formData'
  if (source !== undefined) return source
  if (isInPath(route, name)) return 'path'
  return route.verb === 'get' ? 'query' : 'formData'
}

/** LB3: an object named data is taken for a record of the model. */
function bodySchema(
  route: DocumentedRoute,
  { name, written }: WrittenValue,
  { definitions, nameRecord }: ParameterParts
): SwaggerSchema {
  const schema = writtenSchema(written, definitions, nameRecord)
  const { model } = route.operation
  return name === 'data' && schema['type'] === 'object' ? { $ref: definitions.reference(model.name) } : schema
}

/** LB3: structures are texts that hold JSON, wherever they are not a body. */
function typeOfText(schema: SwaggerSchema): SwaggerSchema {
  const { type, $ref } = schema
  return type === 'object' || type === 'array' || $ref !== undefined ? { type: 'string', format: 'JSON' } : schema
}

const descriptionIn = (written: WrittenType): { description?: string } =>
  withoutAbsent({ description: textOf(written['description']) })

function toParameter(route: DocumentedRoute, value: WrittenValue, parts: ParameterParts): SwaggerSchema {
  const { name, written, required } = value
  const place = placeOf(route, value)
  const shared = { name, in: place, ...descriptionIn(written), required: place === 'path' || required }
  if (place === 'body') return { ...shared, schema: bodySchema(route, value, parts) }
  const schema = writtenSchema(written, parts.definitions, parts.nameRecord)
  return schema['type'] === 'file'
    ? { ...shared, in: 'formData', type: 'file', allowMultiple: false, description: 'File to upload' }
    : { ...shared, ...typeOfText(schema) }
}

/**
 * The parameters of an operation.
 * @see LoopBack 3: loopback-swagger, lib/specgen/route-helper.js, acceptToParameter
 */
export function swaggerParameters(route: DocumentedRoute, parts: ParameterParts): SwaggerSchema[] {
  return writtenArguments(route.operation).map((value) => toParameter(route, value, parts))
}
