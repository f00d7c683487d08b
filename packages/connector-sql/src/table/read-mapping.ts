import { checkMapping, isPlainObject } from '@modelwire/core/connector'
import { Type, type Static } from '@sinclair/typebox'

const length = Type.Optional(Type.Union([Type.Number(), Type.String({ pattern: '^[0-9]+$' })]))
const name = Type.Optional(Type.String({ minLength: 1 }))

/** The mapping of tables and columns in a model file, below the name of the database. Other keys are kept unread. */
const MappingSchema = Type.Object({
  schema: name,
  tableName: name,
  table: name,
  columnName: name,
  column: name,
  dataType: Type.Optional(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_ ]*(\\([0-9, ]+\\))?[A-Za-z ]*$' })),
  dataLength: length,
  dataPrecision: length,
  dataScale: length,
  undeclaredColumn: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Literal(false)])),
  distributeBy: name,
  nullable: Type.Optional(Type.Union([Type.Boolean(), Type.String()]))
})

/** Settings of a table or a column. */
export type Mapping = Static<typeof MappingSchema>

/**
 * The settings that a definition has for a database: the first of the dialect's keys that it knows.
 * @throws {InvalidDefinition} a name or a type in it is none
 */
export function readMapping(
  { mappingKeys }: { readonly mappingKeys: readonly string[] },
  definition: Readonly<Record<string, unknown>>,
  options: Readonly<Record<string, unknown>>
): Mapping {
  const key = mappingKeys.find((each) => isPlainObject(definition[each]) || isPlainObject(options[each]))
  if (key === undefined) return {}
  return checkMapping(MappingSchema, definition[key] ?? options[key], key)
}
