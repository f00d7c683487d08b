import { checkMapping, InvalidDefinition } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { Type, type Static } from '@sinclair/typebox'

const size = Type.Optional(Type.Union([Type.Number(), Type.String()]))

const mappedName = Type.Optional(Type.String({ minLength: 1 }))

/** The mapping of tables and columns in a model file, below the name of the database. Other keys are kept unread. */
const MappingSchema = Type.Object({
  schema: mappedName,
  tableName: mappedName,
  table: mappedName,
  columnName: mappedName,
  column: mappedName,
  dataType: Type.Optional(Type.String()),
  dataLength: size,
  dataPrecision: size,
  dataScale: size,
  undeclaredColumn: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Literal(false)])),
  distributeBy: mappedName,
  nullable: Type.Optional(Type.Union([Type.Boolean(), Type.String()]))
})

/** Settings of a table or a column. */
export type Mapping = Static<typeof MappingSchema>

/** Words with a length, and brackets for a list: nothing else becomes a part of a statement. */
const typePattern = /^[a-z][a-z0-9_. ]*(?:\([0-9, ]+\))?[a-z ]*(?:\[\])*$/i

const lengthPattern = /^\d+$/

// LB3: what stands in the parentheses of the type; words of an enumeration are literals without escapes.
const wordsPattern = /^'(?:[^'\\]|'')*'(?: *, *'(?:[^'\\]|'')*')*$/

/** What is written in SQL, and what it must look like. */
const written: readonly (readonly [name: keyof Mapping, isValid: (text: string) => boolean, message: string])[] = [
  [
    'dataType',
    (text) => isDataType(text),
    'must be a type of the database, such as "varchar(40)", "timestamp with time zone" or "text[]"'
  ],
  [
    'dataLength',
    (text) => lengthPattern.test(text) || wordsPattern.test(text),
    `must be a number, or the words of an enumeration, such as "'a','b'"`
  ],
  ['dataPrecision', (text) => lengthPattern.test(text), 'must be a number'],
  ['dataScale', (text) => lengthPattern.test(text), 'must be a number']
]

/** True for a type that a model file may name: others, such as quoted ones, cannot be written by a migration. */
export const isDataType = (text: string): boolean => typePattern.test(text)

/** The place of a mapping, for errors. */
export interface MappingPlace {
  readonly model: string
  /** Absent for the mapping of the table. */
  readonly property?: string
}

/**
 * The settings of a definition for a database: the first of the dialect's keys that is present.
 * @throws {InvalidDefinition} a name or a type in it is none
 */
export function readMapping(
  { mappingKeys }: { readonly mappingKeys: readonly string[] },
  definition: Readonly<Record<string, unknown>>,
  options: Readonly<Record<string, unknown>>,
  { model, property }: MappingPlace
): Mapping {
  const key = mappingKeys.find((each) => isPlainObject(definition[each]) || isPlainObject(options[each]))
  if (key === undefined) return {}
  const place = { model, key: property === undefined ? key : `properties.${property}.${key}` }
  const mapping = checkMapping(MappingSchema, definition[key] ?? options[key], place.key, model)
  for (const [name, isValid, message] of written) {
    const text = mapping[name]
    if (text !== undefined && !isValid(String(text)))
      throw new InvalidDefinition(`${name} ${message}, but is ${JSON.stringify(text)}`, {
        model,
        key: `${place.key}.${name}`
      })
  }
  return mapping
}
