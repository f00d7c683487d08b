import type { Condition, KeyPlace } from '@modelwire/core/connector'
import { type ModelType, RelatedKeys, repository } from '@modelwire/core/plugin'

/** The records whose keys are sought. */
export type SoughtRecords = repository.Query

/**
 * The keys that related records hold, as a condition that the database carries out together with the one on the
 * declaring records; undefined where observers or access rules decide which records these are, or the database cannot
 * do it.
 * @throws {InvalidFilter} the condition on the related records is malformed
 */
export async function askDatabase(
  from: KeyPlace,
  to: KeyPlace,
  records: SoughtRecords
): Promise<RelatedKeys | undefined> {
  const { dataSource } = to.model
  const { relates, operations } = dataSource?.connector.capabilities ?? {}
  const isOne = dataSource === from.model.dataSource && operations?.has('find') === true
  // Observers of `access` see the condition.
  if (!isOne || relates === undefined || from.model.hooks.has('access')) return undefined
  const filter = repository.filterOf(to.model, records)
  if (filter === undefined) return undefined
  const { where, limit, skip, fields, include } = filter
  // A page holds some of the records that match, a record without its key is found by none, and an include may be refused.
  const isWhole = limit === undefined && skip === 0 && fields?.has(to.property) !== false && !include
  if (!isWhole || !isDeclared(to.model, where)) return undefined
  return (await relates(from, to)) ? new RelatedKeys(to.model, to.property, where) : undefined
}

/** What is not declared may have no place in the database. */
function isDeclared(model: ModelType, where: Condition | undefined): boolean {
  if (where === undefined) return true
  if (where.kind === 'test') return model.byName.has(where.path[0] ?? '')
  return !('conditions' in where) || where.conditions.every((part) => isDeclared(model, part))
}
