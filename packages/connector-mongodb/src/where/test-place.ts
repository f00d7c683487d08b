import type { Document } from 'mongodb'
import type { Leaf } from './leaf.ts'
import { isIndex, pathOf, type Place, type PlaceStep } from './place.ts'
import { all, allOf, anyOf, none, type Query, some } from './query.ts'

/**
 * The documents in which what lies at a place satisfies a comparison: a list does where any of its items does, a path goes on in
 * every item, and into an empty list it leads nowhere.
 */
export function testPlace(place: Place, leaf: Leaf): Query {
  if (leaf.tests.length === 0) return none
  const { steps } = place
  if (leaf.isPlain || !steps.some(({ mayBeList }) => mayBeList)) return anyTest(pathOf(place), leaf.tests)
  return testSteps(steps, '', leaf)
}

const anyTest = (path: string, tests: readonly Document[]): Query => anyOf(tests.map((test) => some({ [path]: test })))

const noList = (path: string): Query => some({ [path]: { $not: { $type: 'array' } } })
const emptyList = (path: string): Query => some({ [path]: { $size: 0 } })

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

/** The documents that satisfy a comparison of a place that none of them has. */
export const testNowhere = ({ whenAbsent }: Leaf): Query => (whenAbsent ? all : none)
