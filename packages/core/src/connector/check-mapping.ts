import type { Static, TSchema } from '@sinclair/typebox'
import { Errors } from '@sinclair/typebox/errors'
import { InvalidDefinition } from '../definition/errors.ts'
import { isPlainObject } from '../values/clone-plain.ts'

/**
 * The settings of a definition for a database, below `key`; an empty object where there are none. Null counts as
 * absent, as JSON files and discovery write it.
 * @throws {InvalidDefinition} a setting has the wrong type
 */
export function checkMapping<Schema extends TSchema>(schema: Schema, input: unknown, key: string): Static<Schema> {
  const mapping = isPlainObject(input)
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
    : {}
  const problem = Errors(schema, [], mapping).First()
  if (problem === undefined) return mapping
  throw new InvalidDefinition(problem.message, { key: `${key}${problem.path}` })
}
