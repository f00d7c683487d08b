import { randomUUID } from 'node:crypto'
import type { Collection } from '../contract/connector.ts'
import type { OptimisticLocking } from '../contract/model-type.ts'
import type { Row } from '../contract/row.ts'
import { InvalidDefinition } from '../definition/errors.ts'
import { defaultVersionProperty, type ModelDefinition } from '../definition/model-definition.ts'
import { compileProperty, type TypePlace } from '../types/compile-type.ts'
import type { PropertyType } from '../types/property-type.ts'

/** The setting `optimisticLocking` of a model with its defaults; undefined if it is off. */
export function readOptimisticLocking({ optimisticLocking }: ModelDefinition): OptimisticLocking | undefined {
  if (optimisticLocking === undefined || optimisticLocking === false) return undefined
  const { property = defaultVersionProperty, requireIfMatch = false } =
    optimisticLocking === true ? {} : optimisticLocking
  return { property, requireIfMatch }
}

/**
 * The properties including the version, which clients cannot set; it is added if it is not declared.
 * @throws {InvalidDefinition} it is not declared as a string, or it is the id
 */
export function withVersion(
  properties: readonly PropertyType[],
  { property: name }: OptimisticLocking,
  place: Omit<TypePlace, 'key'>
): readonly PropertyType[] {
  const declared = properties.find((property) => property.name === name)
  if (declared === undefined)
    return [
      ...properties,
      compileProperty(name, { type: 'string', length: 36, readOnly: true }, { ...place, key: name })
    ]
  if (declared.id || !['string', 'text'].includes(declared.type.kind))
    throw new InvalidDefinition(`the version property "${name}" must be a string, and not the id`, {
      ...place,
      key: `properties.${name}`
    })
  return properties.map((property) => (property === declared ? { ...property, guard: 'readOnly' } : property))
}

/**
 * Wraps a collection so that every write renews the version, whoever writes: the same statement changes the record and its
 * version. Versions never repeat, so that a record which is deleted and recreated has a different one. The rows that are
 * passed in show the new version afterwards.
 */
export function renewVersions(collection: Collection, { property }: OptimisticLocking): Collection {
  const renew = <Renewed extends Row>(row: Renewed): Renewed => Object.assign(row, { [property]: randomUUID() })
  return {
    find: (filter, options) => collection.find(filter, options),
    findById: (id, options) => collection.findById(id, options),
    count: (where, options) => collection.count(where, options),
    insert: (rows) => collection.insert(rows.map(renew)),
    update: (where, changes) => collection.update(where, renew(changes)),
    upsert: (row, defaults = {}) => {
      const { [property]: _, ...others } = defaults
      return collection.upsert(renew(row), others)
    },
    replace: (id, row, where) => collection.replace(id, renew(row), where),
    delete: (where) => collection.delete(where),
    ...(collection.findInParts && { findInParts: (filter, options) => collection.findInParts?.(filter, options) }),
    ...(collection.findRelated && { findRelated: (query, options) => collection.findRelated?.(query, options) }),
    ...(collection.aggregate && { aggregate: (query, options) => collection.aggregate?.(query, options) }),
    ...(collection.patch && { patch: async (where, changes) => collection.patch?.(where, renew(changes)) })
  }
}
