import { InvalidFilter } from '@modelwire/core'
import type { Row } from '@modelwire/core/connector'
import {
  allInOrder,
  type Call,
  compareForOrder,
  keyText,
  type ModelType,
  readingWithin,
  readPath,
  refuseUnseen,
  relationOf,
  repository,
  type ResolvedRelation,
  type Restriction,
  whereOptions
} from '@modelwire/core/plugin'
import { checkReadsKey, type FilterRights } from './filter-rights.ts'
import { behaviourOf } from '../kinds/behaviour-of.ts'
import { relationScope } from '../records/relation-scope.ts'
import type { SortClause } from './sort-clause.ts'

/** The context of sorting: the relations and the caller. */
export interface Sorting {
  readonly find: (name: string) => ResolvedRelation
  readonly call: Call
  /** What the client may see of related records. */
  readonly rights: FilterRights
  /** What the client may see of the rows; undefined: everything. */
  readonly restriction: Restriction | undefined
}

function readClause(model: ModelType, text: unknown): SortClause {
  if (typeof text !== 'string') throw new InvalidFilter('order must be a string or a list of strings')
  const [key = '', direction = 'ASC'] = text.trim().split(/\s+/)
  if (!/^(asc|desc)$/i.test(direction))
    throw new InvalidFilter(`order ${JSON.stringify(text)} must end with ASC or DESC`)
  const relation = relationOf(model, key)
  const path = key.split('.').slice(relation === undefined ? 0 : 1)
  if (path.length === 0) throw new InvalidFilter(`order needs a property of ${key}`)
  return { relation, path, descending: /^desc$/i.test(direction) }
}

/** The clauses of an order; undefined where none of them reaches into related records. */
export function splitOrder(model: ModelType, order: unknown): readonly SortClause[] | undefined {
  if (order === undefined || order === null) return undefined
  const texts: readonly unknown[] = Array.isArray(order) ? order : String(order).split(',')
  const clauses = texts.filter((text) => text !== '').map((text) => readClause(model, text))
  return clauses.some(({ relation }) => relation !== undefined) ? clauses : undefined
}

/** The related model to order by. @throws {InvalidFilter} @throws {HiddenPropertyInFilter} it cannot be ordered by */
function targetModel(relation: ResolvedRelation, { path }: SortClause, { call, rights }: Sorting): ModelType {
  const { to, many, name } = relation
  if (to === undefined || many || behaviourOf(relation).followsKeys !== true)
    throw new InvalidFilter(`order can reach into relations to one record of another model, not into ${name}`)
  const first = path[0] ?? ''
  if (relationOf(to, first) !== undefined) throw new InvalidFilter('order can reach into one relation, not further')
  refuseUnseen(to, path, whereOptions(readingWithin(call)), 'ordered')
  for (const property of [relation.keyTo, first]) checkReadsKey(to, property, rights)
  return to
}

function checkClause(model: ModelType, clause: SortClause, sorting: Sorting): void {
  const [first = ''] = clause.path
  const own = (): ReturnType<FilterRights> => sorting.restriction
  if (clause.relation === undefined) {
    refuseUnseen(model, clause.path, whereOptions(sorting.call), 'ordered')
    checkReadsKey(model, first, own)
    return
  }
  const relation = sorting.find(clause.relation)
  checkReadsKey(model, relation.keyFrom, own)
  targetModel(relation, clause, sorting)
}

/** Reads the value of a clause from a row. */
type ReadValue = (row: Row) => unknown

async function readRelated(rows: readonly Row[], clause: SortClause, sorting: Sorting): Promise<ReadValue> {
  const relation = sorting.find(clause.relation ?? '')
  const model = targetModel(relation, clause, sorting)
  const { keyFrom, keyTo } = relation
  const values = [...new Set(rows.map((row) => row[keyFrom]).filter((key) => key !== null && key !== undefined))]
  const scope = relationScope(relation, { model, property: keyTo, values, discriminated: true })
  const query = { scope, filter: undefined, call: sorting.call, restriction: sorting.rights(model) }
  const found = await repository.readRows(model, query)
  const byKey = new Map(found.map((row) => [keyText(row[keyTo]), row]))
  return (row) => readPath(byKey.get(keyText(row[keyFrom])), clause.path)
}

async function readerOf(rows: readonly Row[], clause: SortClause, sorting: Sorting): Promise<ReadValue> {
  return clause.relation === undefined ? (row) => readPath(row, clause.path) : readRelated(rows, clause, sorting)
}

/** Makes a function that orders rows, by values of related records too; equal ones come by id. */
export function sortByRelated(model: ModelType, clauses: readonly SortClause[], sorting: Sorting) {
  for (const clause of clauses) checkClause(model, clause, sorting)
  const id = model.idProperty?.name ?? 'id'
  return async (rows: readonly Row[]): Promise<readonly Row[]> => {
    const readers = await allInOrder(clauses.map((clause) => readerOf(rows, clause, sorting)))
    const keyed = rows.map((row) => ({ row, values: readers.map((read) => read(row)) }))
    const compare = (a: (typeof keyed)[number], b: (typeof keyed)[number]): number => {
      for (const [at, { descending }] of clauses.entries()) {
        const compared = compareForOrder(a.values[at], b.values[at])
        if (compared !== 0) return descending ? -compared : compared
      }
      return compareForOrder(a.row[id], b.row[id])
    }
    return keyed.toSorted(compare).map(({ row }) => row)
  }
}
