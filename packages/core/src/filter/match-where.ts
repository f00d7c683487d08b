import type { Row } from '../contract/row.ts'
import { createBoundedCache } from './bounded-cache.ts'
import type { BoundedCache } from './bounded-cache.ts'
import type { Condition } from '../contract/condition.ts'
import { writePredicate } from './predicate-source.ts'
import type { PredicateSource } from './predicate-source.ts'
import { readPath } from '../values/read-path.ts'
import { makeValueTest } from './test-value.ts'
import type { ValueTest } from './test-value.ts'

/** Whether a row satisfies a condition. */
export type Predicate = (row: Row) => boolean

/** Takes a row that was found, and its place in the list; false when no more are wanted. */
export type TakeRow = (row: Row, at: number) => boolean

/** Gives `take` the rows of a list that satisfy a condition, from its first or from its last, until it has enough. */
export type ScanRows = (rows: readonly (Row | undefined)[], backwards: boolean, take: TakeRow) => void

/** What a condition is compiled to. */
export interface CompiledCondition {
  readonly matches: Predicate
  /** Like `matches`, in a loop of this condition alone: V8 inlines its test there. */
  readonly scan: ScanRows
}

/** Makes the functions of one shape for the values of one condition. */
type BindShape = (source: PredicateSource, read: typeof readPath, test: (at: number) => ValueTest) => CompiledCondition

/** Compiled conditions by shape. A collection that keeps its own lets V8 learn the form of its rows alone. */
export type PredicateShapes = BoundedCache<string, BindShape>

/** Makes a place for the compiled shapes of up to `limit` conditions. */
export function createPredicateShapes(limit = 500): PredicateShapes {
  return createBoundedCache(limit)
}

const mostInCode = 100

// Only a memo: it changes no result, and nothing of a value is kept in it.
const sharedShapes = createPredicateShapes()

/** As `compileCondition`, for those who have no list to scan. */
export function compilePredicate(condition: Condition, shapes?: PredicateShapes): Predicate {
  return compileCondition(condition, shapes).matches
}

/**
 * Compiles a condition into functions as fast as hand-written ones. Conditions that differ only in their values share one
 * compiled shape.
 * @see `writePredicate` for why this is safe
 */
export function compileCondition(condition: Condition, shapes: PredicateShapes = sharedShapes): CompiledCondition {
  const source = writePredicate(condition)
  if (source.comparisons.length > mostInCode) return compose(condition, shapes)
  return bindShape(findShape(source, shapes), source)
}

function findShape(source: PredicateSource, shapes: PredicateShapes): BindShape {
  const cached = shapes.get(source.shape)
  if (cached !== undefined) return cached
  const bind = compileShape(source)
  shapes.set(source.shape, bind)
  return bind
}

/** Compiling enormous conditions does not pay: their shape hardly recurs. They share one that calls their parts. */
function compose(condition: Condition, shapes: PredicateShapes): CompiledCondition {
  const matches = composePredicate(condition, shapes)
  // The shape gives it rows and nothing else.
  return findShape(composed, shapes)(composed, readPath, () => matches as ValueTest)
}

const composed: PredicateSource = { shape: 'test(0)(row)', comparisons: [], operands: [] }

function composePredicate(condition: Condition, shapes: PredicateShapes): Predicate {
  if (!('conditions' in condition)) return compilePredicate(condition, shapes)
  const parts = condition.conditions.map((part) => compilePredicate(part, shapes))
  if (condition.kind === 'and') return (row) => parts.every((part) => part(row))
  const any: Predicate = (row) => parts.some((part) => part(row))
  return condition.kind === 'or' ? any : (row) => !any(row)
}

/** The complete tests are made when a row first needs one: most never do. */
function bindShape(bind: BindShape, source: PredicateSource): CompiledCondition {
  const tests: ValueTest[] = []
  return bind(source, readPath, (at) => (tests[at] ??= makeTestAt(source, at)))
}

function makeTestAt({ comparisons }: PredicateSource, at: number): ValueTest {
  const comparison = comparisons[at]
  return comparison === undefined ? () => false : makeValueTest(comparison)
}

function compileShape({ shape, comparisons, operands }: PredicateSource): BindShape {
  const constants = [
    ...operands.map((_, at) => `const operand${at} = source.operands[${at}]`),
    ...comparisons.map((_, at) => `const path${at} = source.comparisons[${at}].path`)
  ]
  const body = `'use strict'
${constants.join('\n')}
return {
  matches (row) { let value; return ${shape} },
  scan (rows, backwards, take) {
    const step = backwards ? -1 : 1
    let value
    for (let at = backwards ? rows.length - 1 : 0; at >= 0 && at < rows.length; at += step) {
      const row = rows[at]
      if (row !== undefined && ${shape} && !take(row, at)) return
    }
  }
}`
  // `body` is code that writePredicate made; see there why nothing else gets into it.
  // oxlint-disable-next-line no-implied-eval
  return new Function('source', 'read', 'test', body) as BindShape
}
