import type { Comparison, Condition } from '@modelwire/core/connector'
import type { DocumentMap } from '../document/document-map.ts'
import { compileLeaf, type Leaf } from './leaf.ts'
import { testNear } from './near.ts'
import { type Place, placeOf, isIndex, pathOf, type PlaceStep } from './place.ts'
import type { Document } from 'mongodb'
import { all, allOf, anyOf, none, noneOf, type Query, some } from '../document/query.ts'

const anyTest = (path: string, tests: readonly Document[]): Query => anyOf(tests.map((test) => some({ [path]: test })))

const noList = (path: string): Query => some({ [path]: { $not: { $type: 'array' } } })

const emptyList = (path: string): Query => some({ [path]: { $size: 0 } })

/** The documents that satisfy a comparison of a place that none of them has. */
const testNowhere = ({ whenAbsent }: Leaf): Query => (whenAbsent ? all : none)

/** The documents that match a condition; all of them if there is none. */
export function compileCondition(map: DocumentMap, condition: Condition | undefined): Query {
  if (condition === undefined) return all
  if (condition.kind === 'test')
    return Object.isFrozen(condition) ? keptQuery(map, condition) : compileComparison(map, condition)
  // Conditions of the kind `related` come to connectors that relate models, which this one does not.
  if (condition.kind === 'never' || condition.kind === 'related') return none
  return combine[condition.kind](condition.conditions.map((part) => compileCondition(map, part)))
}

const combine = { and: allOf, or: anyOf, nor: noneOf } as const

const anywhere = { steps: [], type: undefined, ids: 'never', alsoTexts: true, decimal: false } as const

function keptQuery(map: DocumentMap, comparison: Comparison): Query {
  const cached = map.compiledTests.get(comparison)
  if (cached !== undefined) return cached
  const query = compileComparison(map, comparison)
  map.compiledTests.set(comparison, query)
  return query
}

function compileComparison(map: DocumentMap, comparison: Comparison): Query {
  const place = placeOf(map, comparison.path, comparison.type)
  if (comparison.test === 'near') return place === undefined ? none : testNear(map, place, comparison.near)
  if (place === undefined) return testNowhere(compileLeaf(comparison, anywhere))
  const test = (at: Place): Query => {
    const leaf = compileLeaf(comparison, at)
    return testPlace(place, holdsForEach(map, comparison) ? { ...leaf, isPlain: true } : leaf)
  }
  if (!map.isWide || comparison.byCollation === true) return test(place)
  const exact = test({ ...place, exactly: true })
  // The first part is for the index, which has the collation.
  const isPositive = (comparison.test === 'equals' || comparison.test === 'in') && comparison.negated !== true
  return isPositive ? allOf([test(place), exact]) : exact
}

/** LB3: on MongoDB these are true of a list where they are true of each item; loopback-connector-mongodb, lib/mongodb.js, buildWhere */
const holdsForEach = ({ model }: DocumentMap, comparison: Comparison): boolean =>
  model.registry.rules.negatesEachItem && 'negated' in comparison && comparison.negated === true

/**
 * The documents in which what lies at a place satisfies a comparison: a list does where any of its items does, a path goes on in
 * every item, and into an empty list it leads nowhere.
 */
function testPlace(place: Place, leaf: Leaf): Query {
  if (leaf.tests.length === 0) return none
  const { steps } = place
  if (leaf.isPlain || !steps.some(({ mayBeList }) => mayBeList)) return anyTest(pathOf(place), leaf.tests)
  return testSteps(steps, '', leaf)
}

function testSteps([step, ...below]: readonly PlaceStep[], prefix: string, leaf: Leaf): Query {
  if (step === undefined) return none
  const path = `${prefix}${step.name}`
  if (below.length === 0) return testLast(path, step, leaf)
  const plain = testSteps(below, `${path}.`, leaf)
  // A number leads to one item.
  if (!step.mayBeList || isIndex(below[0]?.name)) return plain
  const inItems = testSteps(below, '', leaf)
  return anyOf([
    allOf([noList(path), plain]),
    inItems.kind === 'some' ? some({ [path]: { $elemMatch: inItems.document } }) : none,
    // What is not an object has no parts, and an empty list has none.
    leaf.whenAbsent ? emptyList(path) : none,
    leaf.whenAbsent ? some({ [path]: { $elemMatch: { $not: { $type: ['object', 'array'] } } } }) : none
  ])
}

function testLast(path: string, { mayBeList }: PlaceStep, { tests, whenEmpty }: Leaf): Query {
  if (!mayBeList) return anyTest(path, tests)
  return anyOf([
    allOf([noList(path), anyTest(path, tests)]),
    ...tests.map((test) => some({ [path]: { $elemMatch: test } })),
    whenEmpty ? emptyList(path) : none
  ])
}
