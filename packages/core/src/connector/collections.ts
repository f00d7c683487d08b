import { NotImplemented } from '../errors.ts'
import type { Collection, Connector } from '../contract/connector.ts'
import type { Static, TSchema } from '@sinclair/typebox'
import { problemOf, isPlainObject } from '@modelwire/server'
import { InvalidDefinition } from '../definition/errors.ts'

/** All operations of `connector.capabilities.operations`, as for a full database. */
export const allOperations: ReadonlySet<keyof Collection> = new Set([
  'find',
  'findById',
  'count',
  'insert',
  'update',
  'upsert',
  'replace',
  'delete'
])

function refuse(): never {
  throw new NotImplemented('this data source does not store records')
}

const refusing: Collection = {
  find: refuse,
  findById: refuse,
  count: refuse,
  insert: refuse,
  update: refuse,
  upsert: refuse,
  replace: refuse,
  delete: refuse
}

/**
 * What a connector has that holds no records: models that are attached to it have no data access, only its methods. Every call of its
 * collections is refused with `NOT_IMPLEMENTED`.
 */
export const noRecords: Pick<Connector, 'capabilities' | 'collection'> = {
  capabilities: { operations: new Set(), generatedIdType: 'number', storesUndeclared: true, transactions: false },
  collection: () => refusing
}

/**
 * The settings of a definition for a database, below `key`; an empty object if there are none. Null counts as absent, as in
 * JSON files and discovery.
 * @throws {InvalidDefinition} a setting has the wrong type
 */
export function checkMapping<Schema extends TSchema>(
  schema: Schema,
  input: unknown,
  key: string,
  model?: string
): Static<Schema> {
  const mapping = isPlainObject(input)
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
    : {}
  const problem = problemOf(schema, mapping)
  if (problem === undefined) return mapping
  throw new InvalidDefinition(problem.text, { ...(model !== undefined && { model }), key: `${key}.${problem.key}` })
}

/**
 * Caches the result of `compile` per filter or condition object: the same object is passed in again for the same query
 * string, so that connectors compile it once.
 */
export function keepCompiled<Key extends object, Result>(compile: (key: Key) => Result): (key: Key) => Result {
  const kept = new WeakMap<Key, Result>()
  return (key) => {
    const cached = kept.get(key)
    if (cached !== undefined) return cached
    const result = compile(key)
    kept.set(key, result)
    return result
  }
}
