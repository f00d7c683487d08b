import { Model, type ModelClass, type ModelFacts, type ToMany, type ToOne } from '@modelwire/core'
import { InvalidRelation, isOfModel, typeOf } from '@modelwire/core/plugin'

/** The kind of a helper, and the record that it leads to. */
type Led<Helper> =
  Helper extends ToMany<infer T, infer _F>
    ? { readonly many: T }
    : Helper extends ToOne<infer T, infer _F>
      ? { readonly one: T }
      : never
type Same<A, B> = string extends keyof A | keyof B ? true : [A, B] extends [B, A] ? true : false
type Helpers<R> = { [N in keyof R as [Led<R[N]>] extends [never] ? never : N]-?: Led<R[N]> }

/** Names of the relations of a record `R` that lead to `T`, or several; any, where the type of the record knows none. */
type RelationTo<R, Kind extends 'one' | 'many', T> = string extends keyof R
  ? string
  : [keyof Helpers<R>] extends [never]
    ? string
    : keyof { [N in keyof Helpers<R> as LeadsTo<Helpers<R>[N], Kind, T> extends true ? N : never]: T } & string
type LeadsTo<L, Kind extends PropertyKey, T> = L extends Readonly<Record<Kind, infer U>> ? Same<U, T> : false

function accessorOf(
  record: object,
  name: string,
  { modelType, many }: { modelType: ModelClass['modelType']; many: boolean }
): unknown {
  const relation = record instanceof Model ? typeOf(record).relations.get(name) : undefined
  const helper: unknown = Reflect.get(record, name)
  if (relation === undefined || typeof helper !== 'function')
    throw new InvalidRelation(`the record has no relation "${name}"`, { key: name })
  if (relation.many !== many)
    throw new InvalidRelation(`the relation "${name}" leads to ${many ? 'one record' : 'several records'}`, {
      key: name
    })
  const { to = modelType } = relation
  if (!isOfModel(to, modelType.name) && !isOfModel(modelType, to.name))
    throw new InvalidRelation(`the relation "${name}" leads to ${to.name}, not to ${modelType.name}`, { key: name })
  return helper
}

/**
 * The helper of a relation to one record, with the types of `model`: `toOne(order, 'customer', app.models.Customer)`.
 * @throws {InvalidRelation} the record has no such relation, or it leads to another model
 */
export function toOne<R extends object, T extends object, F extends ModelFacts>(
  record: R,
  name: RelationTo<R, 'one', T>,
  { modelType }: ModelClass<T, F>
): ToOne<T, F> {
  // Relations put helpers of this form on the records of their models.
  return accessorOf(record, name, { modelType, many: false }) as ToOne<T, F>
}

/**
 * The helper of a relation to several records, with the types of `model`: `toMany(author, 'books', app.models.Book)`.
 * @throws {InvalidRelation} the record has no such relation, or it leads to another model
 */
export function toMany<R extends object, T extends object, F extends ModelFacts>(
  record: R,
  name: RelationTo<R, 'many', T>,
  { modelType }: ModelClass<T, F>
): ToMany<T, F> {
  // As above.
  return accessorOf(record, name, { modelType, many: true }) as ToMany<T, F>
}
