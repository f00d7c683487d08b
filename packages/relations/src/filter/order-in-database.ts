import { allInOrder, compileFilter, type ModelType, RelatedOrder } from '@modelwire/core/plugin'
import { relationScope } from '../records/relation-scope.ts'
import { askDatabase } from './ask-database.ts'
import type { Sorting } from './sort-by-related.ts'
import type { SortClause } from './sort-clause.ts'

/**
 * An order as a database carries it out; undefined where observers have to see related records, or there may be
 * several.
 */
export async function orderInDatabase(
  clauses: readonly SortClause[],
  sorting: Sorting
): Promise<readonly unknown[] | undefined> {
  const order = await allInOrder(clauses.map((clause) => clauseInDatabase(clause, sorting)))
  return order.includes(undefined) ? undefined : order
}

async function clauseInDatabase(
  { relation: name, path, descending }: SortClause,
  { find, call, rights }: Sorting
): Promise<RelatedOrder | string | undefined> {
  const text = `${path.join('.')} ${descending ? 'DESC' : 'ASC'}`
  if (name === undefined) return text
  const relation = find(name)
  const { from, to, keyFrom, keyTo } = relation
  if (to === undefined || !isOnlyId(to, keyTo) || !to.byName.has(path[0] ?? '')) return undefined
  const scope = relationScope(relation, { model: to, property: keyTo, values: [], discriminated: true, keyed: false })
  const records = { scope, filter: undefined, call, restriction: rights(to) }
  const keys = await askDatabase({ model: from, property: keyFrom }, { model: to, property: keyTo }, records)
  const [clause] = compileFilter(to, { order: [text] }).order
  if (keys === undefined || clause === undefined) return undefined
  return new RelatedOrder({ ...clause, related: { kind: 'related', keyFrom, model: to, keyTo, where: keys.where } })
}

function isOnlyId({ properties }: ModelType, name: string): boolean {
  return properties.every((property) => property.id === (property.name === name))
}
