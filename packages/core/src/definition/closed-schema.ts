import { isPlainObject } from '../values/clone-plain.ts'
import {
  isArraySchema,
  isObjectSchema,
  isRecordSchema,
  isTupleSchema,
  isUnionSchema,
  type JsonSchema
} from './json-schema.ts'

const closeAll = (schemas: readonly unknown[]): unknown[] => schemas.map((part) => closedSchema(Object(part) as object)) // parts of a schema are schemas

const closeEach = (schemas: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schemas).map(([name, part]) => [name, closedSchema(Object(part) as object)])) // as above

/**
 * A copy of the schema whose objects allow no undeclared properties, unless they declare `additionalProperties`. Parts
 * of an intersection are left as they are: each of them sees what the others declare.
 */
export function closedSchema(value: object): object {
  const schema: JsonSchema = { ...value }
  if (isObjectSchema(schema))
    return {
      ...schema,
      additionalProperties: schema['additionalProperties'] ?? false,
      properties: closeEach(Object(schema['properties']) as object) // it is one: the guard looked
    }
  const { items, anyOf, patternProperties } = schema
  if (isUnionSchema(schema) && Array.isArray(anyOf)) return { ...schema, anyOf: closeAll(anyOf) }
  if (isRecordSchema(schema) && isPlainObject(patternProperties))
    return { ...schema, patternProperties: closeEach(patternProperties) }
  if (isTupleSchema(schema) && Array.isArray(items)) return { ...schema, items: closeAll(items) }
  return isArraySchema(schema) && isPlainObject(items) ? { ...schema, items: closedSchema(items) } : schema
}
