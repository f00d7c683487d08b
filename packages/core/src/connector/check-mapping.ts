import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { InvalidDefinition } from '../definition/errors.ts'
import { isPlainObject } from '../values/clone-plain.ts'

/**
 * What a definition says for a database below `key`, an empty object where it says nothing. Null says nothing, as JSON files and
 * discovery write it.
 * @throws {InvalidDefinition} a setting has the wrong type
 */
export function checkMapping<Schema extends TSchema>(schema: Schema, given: unknown, key: string): Static<Schema> {
  const mapping = isPlainObject(given)
    ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
    : {}
  if (Value.Check(schema, mapping)) return mapping
  const [problem] = Value.Errors(schema, mapping)
  throw new InvalidDefinition(problem?.message ?? 'the mapping is malformed', { key: `${key}${problem?.path ?? ''}` })
}
