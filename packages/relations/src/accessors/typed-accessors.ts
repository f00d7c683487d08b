import type { ModelClass, ToMany, ToOne } from '@modelwire/core'
import { InvalidRelation } from '@modelwire/core/plugin'

function accessorOf(record: object, name: string): unknown {
  const helper: unknown = Reflect.get(record, name)
  if (typeof helper === 'function') return helper
  throw new InvalidRelation(`the record has no relation "${name}"`, { key: name })
}

/**
 * The helper of a relation to one record, with the types of `model`: `toOne(order, 'customer', app.models.Customer)`.
 * @throws {InvalidRelation} the record has no such relation
 */
export function toOne<T extends object>(record: object, name: string, _model: ModelClass<T>): ToOne<T> {
  // Relations put helpers of this form on the records of their models.
  return accessorOf(record, name) as ToOne<T>
}

/**
 * The helper of a relation to several records, with the types of `model`: `toMany(author, 'books', app.models.Book)`.
 * @throws {InvalidRelation} the record has no such relation
 */
export function toMany<T extends object>(record: object, name: string, _model: ModelClass<T>): ToMany<T> {
  // As above.
  return accessorOf(record, name) as ToMany<T>
}
