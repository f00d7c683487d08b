import { problemOf, isPlainObject, type describeProblem } from '@modelwire/server'
import { InvalidDefinition, ReservedModelName } from './errors.ts'
import { reservedNames } from '../values/check-structure.ts'
import type { Rules } from '../rules.ts'
import { ModelDefinitionSchema, type ModelDefinition } from './model-definition.ts'
import {
  isArraySchema,
  isObjectSchema,
  isRecordSchema,
  isTupleSchema,
  isUnionSchema,
  type JsonSchema
} from './json-schema.ts'
import { PropertyDefinitionSchema } from './property-definition.ts'
import { RelationDefinitionSchema } from './relation-definition.ts'

/** The supported keys of model files, by location. Others are kept as settings. */
export const definitionWords: Readonly<Record<'model' | 'property' | 'relation', readonly string[]>> = {
  model: Object.keys(ModelDefinitionSchema.properties),
  property: Object.keys(PropertyDefinitionSchema.properties),
  relation: Object.keys(RelationDefinitionSchema.properties)
}

const closeAll = (schemas: readonly unknown[]): unknown[] => schemas.map((part) => closedSchema(Object(part) as object)) // parts of a schema are schemas

const closeEach = (schemas: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schemas).map(([name, part]) => [name, closedSchema(Object(part) as object)])) // as above

function invalidDefinition(
  definition: unknown,
  problem: ReturnType<typeof describeProblem>,
  place: { file?: string }
): Error {
  const name = isPlainObject(definition) && typeof definition['name'] === 'string' ? definition['name'] : undefined
  const found = JSON.stringify(problem.value)?.slice(0, 60)
  const where = name === undefined ? place : { model: name, ...place }
  return new InvalidDefinition(`${problem.text}, found ${found}`, { ...where, key: problem.key })
}

/** A type of remote methods, and the models that all others extend. */
const reservedModels: ReadonlySet<string> = new Set(['File', 'Model', 'PersistedModel'])

/** Of conditions, where they are not names of properties. */
const logicalWords: ReadonlySet<string> = new Set(['and', 'or', 'nor'])

/** Whether a model, or a property that can be filtered by, may have a name. For names that are derived from a database. */
export function canBeNamed(kind: 'model' | 'property', name: string): boolean {
  return kind === 'model' ? !reservedModels.has(name) : !reservedNames.has(name) && !logicalWords.has(name)
}

/**
 * Validates the shape of a definition and its names. Types of relations are checked once their kinds are known.
 * @throws {InvalidDefinition} a key has the wrong type or an impossible value
 * @throws {ReservedModelName} the model is named File, which version 3 forbids
 */
export function checkDefinition(definition: ModelDefinition, rules: Rules, place: { file?: string }): void {
  const problem = problemOf(ModelDefinitionSchema, definition)
  if (problem !== undefined) throw invalidDefinition(definition, problem, place)
  const model = { model: definition.name, ...place }
  // One that is private is not a type of remote methods.
  if (definition.name === 'File' && definition.public !== false && !rules.allowsModelNamedFile)
    throw new ReservedModelName(
      'a model must not be named File, which is a type of remote methods: rename it and set "plural" to keep its path',
      { ...model, key: 'name' }
    )
  for (const name of Object.keys(definition.properties ?? {})) {
    // A property named so would break every record.
    if (reservedNames.has(name))
      throw new InvalidDefinition(`"${name}" cannot be the name of a property`, { ...model, key: `properties.${name}` })
  }
}

/**
 * A copy of the schema whose objects allow no undeclared properties, unless they set `additionalProperties`. Parts of an
 * intersection are left unchanged, since each of them sees the properties of the others.
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
