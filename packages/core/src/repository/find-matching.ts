import type { Row } from '../connector/connector.ts'
import { SeveralMatches } from '../errors.ts'
import { compileFilter } from '../filter/compile-filter.ts'
import type { Filter } from '../filter/condition.ts'
import { underScope } from '../filter/default-scope.ts'
import type { ModelType } from '../model/model-type.ts'
import { collectionOf } from './identify.ts'

/** The one record that matches. @throws {SeveralMatches} there are several */
export async function findMatching(model: ModelType, reading: Filter): Promise<Row | undefined> {
  const found = await collectionOf(model, 'find').find(reading)
  if (found.length > 1) throw new SeveralMatches(`several records of ${model.name} match`)
  return found[0]
}

/** The one record that is meant after observers of `access` were asked. @throws {SeveralMatches} there are several */
export function findAnnounced(model: ModelType, where: unknown): Promise<Row | undefined> {
  return findMatching(model, { ...underScope(model, compileFilter(model, { where })), limit: 2 })
}
