import type { Condition } from '@modelwire/core/connector'
import type { Conditions } from '@modelwire/connector-tests'
import * as fc from 'fast-check'

const values = {
  price: [null, 0, 3, 12, 45.5, 100],
  name: [null, 'Anvil', 'Chisel', 'bellows', 'x', ''],
  tags: [null, 'iron', 'heavy', 'leather', 'nope'],
  sizes: [null, 1, 2, 9, 5],
  active: [null, true, false],
  added: [null, new Date('2020-01-01'), new Date('2020-02-01T12:00:00.000Z'), new Date('1999-12-31T23:59:59.999Z')],
  'origin.country': [null, 'SE', 'NO', 'X'],
  'origin.address.city': [null, 'Oslo', 'Lund'],
  'meta.a': [null, 1, '1', 2, 'x'],
  'meta.b': [null, 1],
  'meta.list.k': [null, 'x', 'y', 'z'],
  'meta.list.0.k': [null, 'x', 'y'],
  'tags.0': [null, 'iron', 'leather'],
  'tags.k': [null, 'iron'],
  'origin.zone.more': [null, 1],
  id: [1, 2, 7, 99]
} as const

const oneValue = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const

function testOf(on: Conditions, path: keyof typeof values): fc.Arbitrary<Condition> {
  const value = fc.constantFrom<unknown>(...values[path])
  const list = fc.array(value, { maxLength: 3 })
  // Numbers are not compared by order with texts that look like some, and a text has no parts here.
  const operators = path === 'meta.a' ? (['eq', 'neq'] as const) : oneValue
  return fc.oneof(
    fc.tuple(fc.constantFrom(...operators), value).map(([operator, each]) => on.is(path, operator, each)),
    fc.tuple(fc.constantFrom('inq', 'nin'), list).map(([operator, each]) => on.among(path, operator as 'inq', each)),
    path === 'meta.a'
      ? fc.constant(on.is(path, 'eq', null))
      : fc.tuple(value, value).map(([low, high]) => on.between(path, low, high))
  )
}

const likes = ['A%', 'il', '', 'IRON', '_ron', 'Lu%d', 'E']
/** What the text "null" is like, too: a path that null cuts short leads to nothing in MongoDB. */
const likesOfNull = [...likes, 'l', 'null', '%', 'nul_']

function likeOf(on: Conditions): fc.Arbitrary<Condition> {
  const operator = fc.constantFrom('like', 'nlike', 'ilike', 'nilike')
  const below = fc.constantFrom('origin.country', 'origin.address.city', 'meta.list.k', 'tags.k')
  const tests = fc.oneof(
    fc.tuple(fc.constantFrom('name', 'tags'), operator, fc.constantFrom(...likesOfNull)),
    fc.tuple(below, operator, fc.constantFrom(...likes))
  )
  return tests.map(([path, each, like]) => on.wire(path, each as 'like', like))
}

/** Conditions of all kinds on items. */
export function anyCondition(on: Conditions): fc.Arbitrary<Condition> {
  // The table has no other keys.
  const paths = Object.keys(values) as (keyof typeof values)[]
  const test = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...paths).chain((path) => testOf(on, path)) },
    { weight: 2, arbitrary: likeOf(on) },
    fc.constantFrom(
      on.regexp('name', '^[AB]', true),
      on.regexp('tags', 'o'),
      on.near('place', { lat: 55.7, lng: 13.2, maxDistance: 50_000 }),
      on.near('place', { lat: 55.7, lng: 13.2, minDistance: 100_000 }),
      { kind: 'never' as const }
    )
  )
  const { tree } = fc.letrec<{ tree: Condition }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      test,
      fc
        .tuple(fc.constantFrom('and', 'or', 'nor'), fc.array(tie('tree'), { maxLength: 3 }))
        .map(([kind, conditions]) => ({ kind, conditions }) as Condition)
    )
  }))
  return tree
}
