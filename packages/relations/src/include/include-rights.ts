import type { AccessQuestion, Call, KeyedRecords, ResolvedRelation, Restriction } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import type { Awaitable } from '@modelwire/server'
import { readsKeys } from '../records/related-query.ts'
import type { IncludeTask } from './read-by-keys.ts'

/**
 * The question whether the client behind a call may include records of a model; undefined for code of the application.
 */
function questionOf(model: ModelType, method: string, { client }: Call): AccessQuestion | undefined {
  if (client === undefined || model.registry.accessControl === undefined) return undefined
  return { client, model, method, purpose: 'include' }
}

/** Throws for a key that the client may not read: the records that it joins would reveal its values. */
export function checkKeyIsRead(
  { name, from }: ResolvedRelation,
  property: string | undefined,
  restriction: Restriction | undefined
): void {
  if (restriction?.readable === undefined || property === undefined || restriction.readable.has(property)) return
  throw restriction.denyProperty(`this client may not include ${from.name}.${name}: it may not read ${property}`)
}

/** What joins records that hold a key to those that it is of. */
function checkJoin(relation: ResolvedRelation, { property }: KeyedRecords, restriction: Restriction | undefined): void {
  checkKeyIsRead(relation, property, restriction)
  checkKeyIsRead(relation, relation.discriminator?.property, restriction)
}

/**
 * What the client may see of lists of related records, by the rules of `find`, determined once for all parents.
 * @throws the error that access control refuses the include with
 */
export async function rightsToMany(
  { relation, call }: Pick<IncludeTask, 'relation' | 'call'>,
  model: ModelType,
  keyed?: KeyedRecords
): Promise<Restriction | undefined> {
  const question = questionOf(model, 'find', call)
  const restriction = question && (await model.registry.accessControl?.restrict(question, keyed))
  if (keyed !== undefined) checkJoin(relation, keyed, restriction)
  return restriction
}

/**
 * What the client may see of related records that are each found by key, by the rules of `findById`, whatever the include
 * requests. If the client may not read a record, the result is that for a missing one, so that it does not reveal whether
 * it exists.
 * @param readIds reads the ids of the records that each key leads to
 * @throws what access control refuses the include with
 */
export async function rightsToEach(
  { relation, call }: Pick<IncludeTask, 'relation' | 'call'>,
  model: ModelType,
  readIds: () => Awaitable<readonly (readonly unknown[])[]>,
  keyed?: KeyedRecords
): Promise<Restriction | undefined> {
  const question = questionOf(model, 'findById', call)
  const control = model.registry.accessControl
  if (question === undefined || control === undefined) return undefined
  const restriction = await control.restrictEach(question, readIds, keyed)
  const keys = [relation.keyTo, keyed && relation.discriminator?.property]
  if (!readsKeys(keys, restriction)) await control.restrictEach(question, () => [[]])
  for (const key of keys) checkKeyIsRead(relation, key, restriction)
  return restriction
}
