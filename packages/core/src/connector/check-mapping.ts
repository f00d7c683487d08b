import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
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
  if (Value.Check(schema, mapping)) return mapping
  const [problem] = Value.Errors(schema, mapping)
  throw new InvalidDefinition(problem?.message ?? 'the mapping is malformed', { key: `${key}${problem?.path ?? ''}` })
}
