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
 * The one record that is meant after observers of `access` were asked, of those that the client may change; undefined where a new
 * one is to be made.
 * @throws {SeveralMatches} there are several
 */
export async function findAnnounced(
  model: ModelType,
  where: unknown,
  { restriction }: Write
): Promise<Row | undefined> {
  const meant = underScope(model, compileFilter(model, { where }))
  const found = await findMatching(model, { ...filterWithin(restriction, meant), fields: undefined, limit: 2 })
  // A client who may change some of the records alone named one: a new one would tell that it is not there.
  if (found === undefined && restriction?.condition !== undefined) throw restriction.deny()
  return found
}
