import type { Row } from '../contract/row.ts'
import { createBoundedCache } from './bounded-cache.ts'
import type { BoundedCache } from './bounded-cache.ts'
import { compareAbsentFirst, compareForOrder, compareUndeclared } from './compare-for-order.ts'
import type { OrderClause } from '../contract/condition.ts'
import { readPath } from '../values/read-path.ts'

/** Below 0 when the first row comes first; 0 only for rows without an id to distinguish them. */
export type RowComparator = (a: Row, b: Row) => number

type ComparatorParts = {
  read: typeof readPath
  compare: typeof compareForOrder
  compareAbsentFirst: typeof compareAbsentFirst
  compareUndeclared: typeof compareUndeclared
  paths: readonly (readonly string[])[]
}
type MakeComparator = (parts: ComparatorParts) => RowComparator

/** Comparators by shape, as `PredicateShapes`. */
export type OrderShapes = BoundedCache<string, MakeComparator>

/** Makes a place for the compiled shapes of up to `limit` orders. */
export function createOrderShapes(limit = 200): OrderShapes {
  return createBoundedCache(limit)
}

// Only a memo: it changes no result.
const sharedShapes = createOrderShapes()

/**
 * Compiles `order` into a comparator. Rows that it leaves equal come by id, ascending even where the order descends.
 * `idPath` is absent for models without an id.
 *
 * As in `writePredicate`, a name gets into the code only as the text that `JSON.stringify` makes of it.
 */
export function compileOrder(
  order: readonly OrderClause[],
  idPath: readonly string[] | undefined,
  shapes: OrderShapes = sharedShapes
): RowComparator {
  const clauses = idPath === undefined ? order : [...order, { path: idPath, descending: false }]
  const parts: ComparatorParts = {
    read: readPath,
    compare: compareForOrder,
    compareAbsentFirst,
    compareUndeclared,
    paths: clauses.map((clause) => clause.path)
  }
  const shape = clauses
    .map((clause) => `${clause.descending} ${comparisonOf(clause)} ${JSON.stringify(clause.path)}`)
    .join()
  const cached = shapes.get(shape)
  if (cached !== undefined) return cached(parts)
  const make = compileShape(clauses)
  shapes.set(shape, make)
  return make(parts)
}

/** Values of a declared property can be kept in order; what lies below one, or is not declared, is compared as it comes. */
function isDeclared(type: OrderClause['type'], path: readonly string[]): boolean {
  return type !== undefined && path.length === 1
}

function comparisonOf({ type, path, absentFirst }: OrderClause): keyof ComparatorParts {
  if (absentFirst === true) return 'compareAbsentFirst'
  return isDeclared(type, path) ? 'compare' : 'compareUndeclared'
}

function writeClause(clause: OrderClause, at: number): string {
  const { path, descending } = clause
  const [name, ...below] = path
  const quick = name !== undefined && below.length === 0
  const [less, greater] = descending ? [1, -1] : [-1, 1]
  const slow = `
  compared = ${comparisonOf(clause)}(read(a, path${at}), read(b, path${at}))
  if (compared !== 0) return ${descending ? '-compared' : 'compared'}`
  if (!quick) return slow
  const property = JSON.stringify(name)
  // Values of one primitive type are in order as they are; NaN, which equals nothing, takes the long way.
  return `
x = a[${property}]; y = b[${property}]
if (typeof x === typeof y && (typeof x === 'number' || typeof x === 'string')) {
  if (x < y) return ${less}
  if (x > y) return ${greater}
}
if (x !== y) {${slow}
}`
}

function compileShape(clauses: readonly OrderClause[]): MakeComparator {
  const code = clauses.map(writeClause).join('\n')
  const paths = clauses.map((_, at) => `path${at}`)
  const body = `'use strict'
const { read, compare, compareAbsentFirst, compareUndeclared, paths: [${paths.join(', ')}] } = parts
return function compareRows (a, b) { let x, y, compared
${code}
return 0 }`
  // `body` is code that writeClause made, and the comparator it returns takes two rows.
  // oxlint-disable-next-line no-implied-eval
  return new Function('parts', body) as MakeComparator
}
