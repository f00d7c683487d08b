import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { EnvironmentInvalid } from './errors.ts'

/** Variables of an environment. */
type Variables = Readonly<Record<string, string | undefined>>

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false }

function toNumber(text: string): unknown {
  const value = Number(text)
  return text.trim() === '' || Number.isNaN(value) ? text : value
}

/** A text as a schema wants it; what does not fit stays a text, and is found wrong. */
const conversions: Readonly<Record<string, (text: string, schema: TSchema) => unknown>> = {
  number: toNumber,
  integer: toNumber,
  boolean: (text) => booleans[text.toLowerCase()] ?? text,
  array: (text, schema) => {
    // The schema of a list has that of its items.
    const items = schema['items'] as TSchema
    return text.split(',').map((item) => convert(item.trim(), items))
  }
}

function convert(text: string, schema: TSchema): unknown {
  const kind: unknown = schema['type']
  return conversions[String(kind)]?.(text, schema) ?? text
}

function problemsOf(schema: TObject, values: unknown): string {
  const problems = new Map<string, string>()
  for (const { path, message } of Value.Errors(schema, values)) {
    const name = path.split('/')[1] ?? ''
    const isMissing = Reflect.get(Object(values), name) === undefined
    if (!problems.has(name)) problems.set(name, isMissing ? 'is missing' : `is invalid: ${message.toLowerCase()}`)
  }
  return Array.from(problems, ([name, problem]) => `${name} ${problem}`).join('; ')
}

/**
 * The settings of an application from environment variables, converted to the types of a TypeBox object that names them:
 * strings become numbers, booleans (`true`, `false`, 1, 0) and lists (separated by commas). An empty variable counts as
 * absent, and defaults are filled in.
 * @param variables those of the process when absent
 * @throws {EnvironmentInvalid} variables are missing or malformed: the message names all of them, and shows no values
 */
export function readEnvironment<Schema extends TObject>(
  schema: Schema,
  variables: Variables = process.env
): Readonly<Static<Schema>> {
  const present = Object.entries<TSchema>(schema.properties).flatMap(([name, property]) => {
    const text = variables[name]
    return text === undefined || text === '' ? [] : [[name, convert(text, property)] as const]
  })
  const values: unknown = Value.Default(schema, Object.fromEntries(present))
  if (Value.Check(schema, values)) return Object.freeze(values)
  throw new EnvironmentInvalid(`environment variables: ${problemsOf(schema, values)}`)
}
