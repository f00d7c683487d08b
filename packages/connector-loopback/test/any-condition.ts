import type { Condition } from '@modelwire/core/connector'
import type { Conditions } from '@modelwire/connector-tests'
import * as fc from 'fast-check'

/** Conditions of all kinds on items. */
export const anyCondition = (on: Conditions): fc.Arbitrary<Condition> => {
  const price = fc.constantFrom(null, 0, 3, 12, 45.5, 100)
  const name = fc.constantFrom(null, 'Anvil', 'Chisel', 'bellows', 'x')
  const test = fc.oneof(
    fc
      .tuple(fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte'), price)
      .map(([each, value]) => on.is('price', each as 'eq', value)),
    fc.tuple(fc.constantFrom('eq', 'neq'), name).map(([each, value]) => on.is('name', each as 'eq', value)),
    fc
      .tuple(fc.constantFrom('inq', 'nin'), fc.array(price, { maxLength: 3 }))
      .map(([each, list]) => on.among('price', each as 'inq', list)),
    fc
      .tuple(fc.constantFrom('like', 'nlike', 'ilike'), fc.constantFrom('A%', 'il', ''))
      .map(([each, like]) => on.wire('name', each as 'like', like)),
    fc.constantFrom(on.is('tags', 'eq', 'iron'), on.is('origin.country', 'eq', 'SE'), on.regexp('name', '^[AB]', true))
  )
  const { tree } = fc.letrec<{ tree: Condition }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      test,
      fc
        .tuple(fc.constantFrom('and', 'or', 'nor'), fc.array(tie('tree'), { maxLength: 3 }))
        .map(([kind, list]) => ({ kind, conditions: list }) as Condition)
    )
  }))
  return tree
}
