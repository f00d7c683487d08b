import type { Comparison, Condition } from '@modelwire/core/connector'
import type { DocumentMap } from '../document/document-map.ts'
import { compileLeaf } from './leaf.ts'
import { testNear } from './near.ts'
import { type Place, placeOf } from './place.ts'
import { all, allOf, anyOf, none, noneOf, type Query } from './query.ts'
import { testNowhere, testPlace } from './test-place.ts'

/** The documents that a condition finds; all of them where there is none. */
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
