import type { Row } from '../contract/row.ts'
import { SeveralMatches } from '../errors.ts'
import { compileFilter } from '../filter/compile-filter.ts'
import type { Filter } from '../contract/condition.ts'
import { underScope } from '../filter/default-scope.ts'
import { filterWithin } from '../filter/restriction.ts'
import type { ModelType } from '../contract/model-type.ts'
import { collectionOf } from './identify.ts'
import type { Write } from './write-within.ts'

/** The one record that matches. @throws {SeveralMatches} there are several */
export async function findMatching(model: ModelType, reading: Filter): Promise<Row | undefined> {
  const found = await collectionOf(model, 'find').find(reading)
  if (found.length > 1) throw new SeveralMatches(`more than one ${model.name} matches`)
  return found[0]
}

/**
 * The one record that matches once observers of `access` have run, of those that the client may change; undefined where
 * a new one is to be created.
 * @throws {SeveralMatches} there are several
 */
export async function findAnnounced(
  model: ModelType,
  where: unknown,
  { restriction }: Write
): Promise<Row | undefined> {
  const scoped = underScope(model, compileFilter(model, { where }))
  const found = await findMatching(model, { ...filterWithin(restriction, scoped), fields: undefined, limit: 2 })
  // The client may change only some of the records: creating one would reveal that it does not exist.
  if (found === undefined && restriction?.condition !== undefined) throw restriction.deny()
  return found
}
