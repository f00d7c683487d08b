import type { Row } from '@modelwire/core/connector'
import { isPlainObject, isSameKey, type ModelType, repository } from '@modelwire/core/plugin'
import { ForeignKeyFixed, ParentKeyMissing } from '../errors.ts'
import type { Related } from '../related.ts'
import { copyProperties } from './copy-properties.ts'

/** Data of a record as a copy that may be changed. @throws {InvalidValue} it is a list or a scalar */
export function ownData(model: ModelType, data: unknown): Row {
  return { ...repository.toData(model, data) }
}

/** The key by which records refer to the parent. @throws {ParentKeyMissing} it has none */
export function parentKey({ relation, parent }: Related): unknown {
  const key = parent[relation.keyFrom]
  if (key === null || key === undefined)
    throw new ParentKeyMissing(`the ${relation.from.name} has no ${relation.keyFrom} that records could refer to`)
  return key
}

/** The data of a record that is made through the relation: the parent's key and properties, whatever the caller sends. */
export function childData(related: Related, model: ModelType, data: unknown): Row {
  const { relation, parent } = related
  const child = ownData(model, data)
  child[relation.keyTo] = parentKey(related)
  copyProperties(relation, parent, child)
  if (relation.discriminator !== undefined) child[relation.discriminator.property] = relation.discriminator.value
  return child
}

/** @throws {ForeignKeyFixed} the data would move the record to another parent */
export function refuseOtherKey({ relation, parent }: Related, data: unknown): void {
  const { keyTo, keyFrom, name } = relation
  if (!isPlainObject(data) || !Object.hasOwn(data, keyTo) || data[keyTo] === undefined) return
  if (isSameKey(data[keyTo], parent[keyFrom])) return
  throw new ForeignKeyFixed(`${keyTo} cannot be changed through ${name}`)
}
