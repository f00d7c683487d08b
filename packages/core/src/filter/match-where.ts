import type { Row } from '../connector/connector.ts'
import { createBoundedCache } from './bounded-cache.ts'
import type { BoundedCache } from './bounded-cache.ts'
import type { Condition } from './condition.ts'
import { writePredicate } from './predicate-source.ts'
import type { PredicateSource } from './predicate-source.ts'
import { readPath } from './read-path.ts'
import { makeValueTest } from './test-value.ts'
import type { ValueTest } from './test-value.ts'

/** Tells whether a row satisfies a condition. */
export type Predicate = (row: Row) => boolean

/** Makes the predicate of one shape for the values of one condition. */
type MakePredicate = (source: PredicateSource, read: typeof readPath, test: (at: number) => ValueTest) => Predicate

/** Predicates by shape. A collection that keeps its own lets V8 learn the form of its rows alone. */
export type PredicateShapes = BoundedCache<string, MakePredicate>

/** Makes a place for the compiled shapes of up to `limit` conditions. */
export function createPredicateShapes(limit = 500): PredicateShapes {
  return createBoundedCache(limit)
}

const mostInCode = 100

// Only a memo: it changes no result, and nothing of a value is kept in it.
const sharedShapes = createPredicateShapes()

/**
 * Compiles a condition into a function as fast as a hand-written one. Conditions that differ only in their values share
 * one compiled shape.
 * @see `writePredicate` for why this is safe
 */
export function compilePredicate(condition: Condition, shapes: PredicateShapes = sharedShapes): Predicate {
  const source = writePredicate(condition)
  if (source.comparisons.length > mostInCode) return composePredicate(condition, shapes)
  const known = shapes.get(source.shape)
  if (known !== undefined) return bindPredicate(known, source)
  const make = compileShape(source)
  shapes.set(source.shape, make)
  return bindPredicate(make, source)
}

/** Enormous conditions are not worth compiling: their shape hardly comes twice. */
function composePredicate(condition: Condition, shapes: PredicateShapes): Predicate {
  if (!('conditions' in condition)) return compilePredicate(condition, shapes)
  const parts = condition.conditions.map((part) => compilePredicate(part, shapes))
  if (condition.kind === 'and') return (row) => parts.every((part) => part(row))
  const any: Predicate = (row) => parts.some((part) => part(row))
  return condition.kind === 'or' ? any : (row) => !any(row)
}

/** The complete tests are made when a row first needs one: most never do. */
function bindPredicate(make: MakePredicate, source: PredicateSource): Predicate {
  const tests: ValueTest[] = []
  return make(source, readPath, (at) => (tests[at] ??= makeTestAt(source, at)))
}

function makeTestAt({ comparisons }: PredicateSource, at: number): ValueTest {
  const comparison = comparisons[at]
  return comparison === undefined ? () => false : makeValueTest(comparison)
}

function compileShape({ shape, comparisons, operands }: PredicateSource): MakePredicate {
  const constants = [
    ...operands.map((_, at) => `const operand${at} = source.operands[${at}]`),
    ...comparisons.map((_, at) => `const path${at} = source.comparisons[${at}].path`)
  ]
  const body = `'use strict'\n${constants.join('\n')}\nreturn function matchRow (row) { let value; return ${shape} }`
  // `body` is code that writePredicate made; it says why nothing else gets into it.
  // oxlint-disable-next-line no-implied-eval
  return new Function('source', 'read', 'test', body) as MakePredicate
}
