import { createPredicateShapes, type PredicateShapes } from './match-where.ts'
import { textOf } from '../operators/operand.ts'
import type { Row } from '../contract/row.ts'
import { type BoundedCache, createBoundedCache } from '../values/caches.ts'
import type { Condition, OrderClause, Comparison, Near } from '../contract/condition.ts'
import { readPath } from '../values/read-path.ts'
import { distanceMetres, readPoint } from '../values/geo-point.ts'

/**
 * Compares two values for `order`: absent values come first; null counts as 0 among numbers, dates and booleans and comes
 * before strings; lists and objects are compared as strings; numeric strings are compared with numbers as numbers.
 * @see recordings filter/order and filter/open
 */
export function compareForOrder(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === undefined) return -1
  if (b === undefined) return 1
  const [left, right] = [sortKey(a), sortKey(b)]
  if (typeof left === 'string' || typeof right === 'string') return compareText(left, right)
  return compareSame(left ?? 0, right ?? 0)
}

/**
 * Like `compareForOrder`, but null compared with a string counts as 0 if the string is numeric, and is equal otherwise.
 * LB3: strictly speaking not an order at all, so no index can preserve it; pinned by filter/order and filter/open, where
 * the values have no declared type.
 */
export function compareUndeclared(a: unknown, b: unknown): number {
  if (a === null && typeof b === 'string') return compareWithText(0, b)
  if (b === null && typeof a === 'string') return -compareWithText(0, a)
  return compareForOrder(a, b)
}

/** Like `compareForOrder`, but null counts as absent: both come first. This is what databases do, and what cursors require. */
export function compareAbsentFirst(a: unknown, b: unknown): number {
  return compareForOrder(a ?? undefined, b ?? undefined)
}

function compareWithText(number: number, text: string): number {
  return compareSame(number, Number(text)) || 0
}

function sortKey(value: unknown): number | string | null {
  if (value === null || typeof value === 'string') return value
  const number = value instanceof Date ? value.getTime() : numberOf(value)
  if (number === undefined) return textOf(value)
  // `<` and `>` know no place for NaN.
  return Number.isNaN(number) ? -Infinity : number
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? Number(value)
    : undefined
}

function compareText(left: number | string | null, right: number | string | null): number {
  if (left === null) return -1
  if (right === null) return 1
  if (typeof left === typeof right) return compareSame(left, right)
  const numeric = compareSame(Number(left), Number(right))
  if (!Number.isNaN(numeric)) return numeric
  return typeof left === 'number' ? -1 : 1
}

function compareSame(left: number | string, right: number | string): number {
  if (left < right) return -1
  if (left > right) return 1
  return left === right ? 0 : NaN
}

/** Negative if the first row comes first; 0 only for rows without an id to distinguish them. */
export type RowComparator = (a: Row, b: Row) => number

type ComparatorParts = {
  read: typeof readPath
  compare: typeof compareForOrder
  compareAbsentFirst: typeof compareAbsentFirst
  compareUndeclared: typeof compareUndeclared
  paths: readonly (readonly string[])[]
}
type MakeComparator = (parts: ComparatorParts) => RowComparator

/** Comparators by shape, like `PredicateShapes`. */
export type OrderShapes = BoundedCache<string, MakeComparator>

/** Creates a cache for the compiled shapes of up to `limit` orders. */
export function createOrderShapes(limit = 200): OrderShapes {
  return createBoundedCache(limit)
}

/** Makes places for the compiled conditions and orders of one collection: V8 then only sees rows of one form in them. */
export function createShapes(): { readonly predicates: PredicateShapes; readonly orders: OrderShapes } {
  return { predicates: createPredicateShapes(), orders: createOrderShapes() }
}

// Only a memo: it changes no result.
const sharedShapes = createOrderShapes()

/**
 * Compiles `order` into a comparator. Ties are ordered by id, ascending even if the order is descending. `idPath` is
 * absent for models without an id.
 *
 * As in `writePredicate`, a name only gets into the code as the output of `JSON.stringify`.
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

/** A `near` test: where the point is in a row and which point it is compared with. */
export interface NearTest {
  readonly path: readonly string[]
  readonly value: Near
}

/** The `near` that determines the order: the first one in the condition. */
export function findNear(condition: Condition | undefined): NearTest | undefined {
  if (condition?.kind === 'test') return readNear(condition)
  if (condition === undefined || !('conditions' in condition)) return undefined
  for (const part of condition.conditions) {
    const near = findNear(part)
    if (near !== undefined) return near
  }
  return undefined
}

/** The rows from the nearest to the farthest, those without a point last. Equally distant ones keep their order. */
export function sortByDistance(rows: readonly Row[], near: NearTest): Row[] {
  const measured = rows.map((row) => ({ row, distance: shortestDistance(readPath(row, near.path), near.value) }))
  return measured.toSorted((a, b) => a.distance - b.distance || 0).map(({ row }) => row)
}

function readNear(comparison: Comparison): NearTest | undefined {
  return comparison.test === 'near' ? { path: comparison.path, value: comparison.near } : undefined
}

function shortestDistance(value: unknown, near: Near): number {
  if (Array.isArray(value)) {
    return value.reduce((shortest: number, item) => Math.min(shortest, shortestDistance(item, near)), Infinity)
  }
  const point = readPoint(value)
  return point === undefined ? Infinity : distanceMetres(near, point)
}
