import { checkMapping } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { Type, type Static } from '@sinclair/typebox'

const length = Type.Optional(Type.Union([Type.Number(), Type.String({ pattern: '^[0-9]+$' })]))

// LB3: what stands in the parentheses of the type; words of an enumeration are literals without escapes.
const lengthOrWords = Type.Optional(
  Type.Union([Type.Number(), Type.String({ pattern: "^(?:[0-9]+|'(?:[^'\\\\]|'')*'(?: *, *'(?:[^'\\\\]|'')*')*)$" })])
)

const mappedName = Type.Optional(Type.String({ minLength: 1 }))

/** The mapping of tables and columns in a model file, below the name of the database. Other keys are kept unread. */
const MappingSchema = Type.Object({
  schema: mappedName,
  tableName: mappedName,
  table: mappedName,
  columnName: mappedName,
  column: mappedName,
  dataType: Type.Optional(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_ ]*(\\([0-9, ]+\\))?[A-Za-z ]*$' })),
  dataLength: lengthOrWords,
  dataPrecision: length,
  dataScale: length,
  undeclaredColumn: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Literal(false)])),
  distributeBy: mappedName,
  nullable: Type.Optional(Type.Union([Type.Boolean(), Type.String()]))
})

/** Settings of a table or a column. */
export type Mapping = Static<typeof MappingSchema>

/**
 * The settings of a definition for a database: the first of the dialect's keys that is present.
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
