import type { Condition } from '@modelwire/core/connector'
import { all, any, conditionsOn, filterOf, none, type Conditions } from '../conditions.ts'
import { items } from '../fixtures.ts'
import type { TestCase } from '../test-case.ts'

/** Conditions with the ids of the items that satisfy them. */
type Expectations = readonly (readonly [
  describe: string,
  write: (item: Conditions) => Condition,
  ids: readonly number[]
])[]

const expectations: Readonly<Record<string, Expectations>> = {
  'eq finds equal values': [
    ['text', (item) => item.is('name', 'eq', 'Anvil'), [1]],
    ['text is compared with its case', (item) => item.is('name', 'eq', 'anvil'), []],
    ['number', (item) => item.is('price', 'eq', 12), [3, 6]],
    ['zero', (item) => item.is('price', 'eq', 0), [7]],
    ['boolean', (item) => item.is('active', 'eq', false), [2, 6]],
    ['date', (item) => item.is('added', 'eq', new Date('2020-02-01T12:00:00.000Z')), [2]],
    ['id', (item) => item.is('id', 'eq', 3), [3]]
  ],
  'eq null finds null and absent values': [
    ['null', (item) => item.is('price', 'eq', null), [4]],
    ['absent', (item) => item.is('name', 'eq', null), [7]],
    ['both', (item) => item.is('added', 'eq', null), [4, 5]]
  ],
  'neq finds other, null and absent values': [
    ['number', (item) => item.is('price', 'neq', 12), [1, 2, 4, 5, 7]],
    ['text', (item) => item.is('name', 'neq', 'Anvil'), [2, 3, 4, 5, 6, 7]],
    ['boolean', (item) => item.is('active', 'neq', true), [2, 5, 6]],
    ['date', (item) => item.is('added', 'neq', new Date('2020-01-01T00:00:00.000Z')), [2, 3, 4, 5, 6, 7]],
    ['null', (item) => item.is('price', 'neq', null), [1, 2, 3, 5, 6, 7]]
  ],
  'gt, gte, lt and lte compare': [
    ['gt', (item) => item.is('price', 'gt', 12), [1, 2]],
    ['gte', (item) => item.is('price', 'gte', 12), [1, 2, 3, 6]],
    ['lt', (item) => item.is('price', 'lt', 12), [5, 7]],
    ['lte', (item) => item.is('price', 'lte', 12), [3, 5, 6, 7]],
    ['negative', (item) => item.is('qty', 'lt', 0), [7]],
    ['fraction', (item) => item.is('price', 'gt', 45.4), [1, 2]],
    ['date', (item) => item.is('added', 'gt', new Date('2020-01-31')), [2, 3, 6]],
    ['id', (item) => item.is('id', 'gt', 5), [6, 7]]
  ],
  'texts are compared by their codes': [
    ['capitals first', (item) => item.is('name', 'gt', 'C'), [2, 3, 4, 5, 6]],
    ['small letters last', (item) => item.is('name', 'gte', 'a'), [2]]
  ],
  'gt null finds nothing': [
    ['gt', (item) => item.is('price', 'gt', null), []],
    ['lt', (item) => item.is('price', 'lt', null), []]
  ],
  'between includes both ends': [
    ['numbers', (item) => item.between('price', 3, 12), [3, 5, 6]],
    ['the wrong way round', (item) => item.between('price', 12, 3), []],
    ['texts', (item) => item.between('name', 'A', 'D'), [1, 3]],
    ['dates', (item) => item.between('added', new Date('2020-01-01'), new Date('2020-02-28')), [1, 2]]
  ],
  'inq finds one of several values': [
    ['numbers', (item) => item.among('price', 'inq', [12, 100]), [1, 3, 6]],
    ['texts', (item) => item.among('name', 'inq', ['Anvil', 'nope']), [1]],
    ['nothing', (item) => item.among('price', 'inq', []), []],
    ['null', (item) => item.among('price', 'inq', [null, 3]), [4, 5]],
    ['dates', (item) => item.among('added', 'inq', [new Date('2020-01-01'), new Date('2021-01-01')]), [1, 6]],
    ['ids', (item) => item.among('id', 'inq', [2, 1, 99]), [1, 2]]
  ],
  'nin finds everything else': [
    ['numbers', (item) => item.among('price', 'nin', [12, 100]), [2, 4, 5, 7]],
    ['nothing', (item) => item.among('price', 'nin', []), [1, 2, 3, 4, 5, 6, 7]],
    ['null', (item) => item.among('price', 'nin', [null]), [1, 2, 3, 5, 6, 7]],
    ['ids', (item) => item.among('id', 'nin', [1, 2]), [3, 4, 5, 6, 7]]
  ],
  'and, or and nor combine conditions': [
    ['and', (item) => all(item.is('price', 'eq', 12), item.is('active', 'eq', true)), [3]],
    ['or', (item) => any(item.is('price', 'eq', 12), item.is('qty', 'gt', 50)), [3, 5, 6]],
    ['nor', (item) => none(item.is('price', 'eq', 12), item.is('active', 'eq', true)), [2, 5]],
    ['nested', (item) => all(any(item.is('id', 'eq', 1), item.is('id', 'eq', 2)), any(item.is('id', 'eq', 2))), [2]],
    ['and of nothing', () => all(), [1, 2, 3, 4, 5, 6, 7]],
    ['or of nothing', () => any(), []],
    ['nor of nothing', () => none(), [1, 2, 3, 4, 5, 6, 7]],
    ['never', () => ({ kind: 'never' }), []]
  ],
  'like finds a part of a text': [
    ['anywhere', (item) => item.wire('name', 'like', 'il'), [1, 4, 6]],
    ['any text', (item) => item.wire('name', 'like', 'A%l'), [1]],
    ['any character', (item) => item.wire('name', 'like', 'C_isel'), [3]],
    ['with its case', (item) => item.wire('name', 'like', 'an'), []],
    ['a percent sign', (item) => item.wire('name', 'like', String.raw`10\%`), [4]],
    ['the empty text', (item) => item.wire('name', 'like', ''), []]
  ],
  'nlike finds everything else': [
    ['text', (item) => item.wire('name', 'nlike', 'A%'), [2, 3, 4, 5, 6, 7]],
    ['the empty text', (item) => item.wire('name', 'nlike', ''), []]
  ],
  'ilike and nilike ignore case': [
    ['ilike', (item) => item.wire('name', 'ilike', 'BELL'), [2]],
    ['nilike', (item) => item.wire('name', 'nilike', 'CHISEL'), [1, 2, 4, 5, 6, 7]]
  ],
  'startsWith finds the beginning of a text': [
    ['text', (item) => item.wire('name', 'startsWith', 'An'), [1]],
    ['with its case', (item) => item.wire('name', 'startsWith', 'an'), []],
    ['the whole text', (item) => item.wire('name', 'startsWith', 'Anvil'), [1]],
    ['not within', (item) => item.wire('name', 'startsWith', 'nv'), []],
    ['wildcards are characters', (item) => item.wire('name', 'startsWith', '%'), []],
    ['and so are these', (item) => item.wire('name', 'startsWith', 'A_'), []],
    ['every text with the empty one', (item) => item.wire('name', 'startsWith', ''), [1, 2, 3, 4, 5, 6]],
    ['of an item of a list', (item) => item.wire('tags', 'startsWith', 'lea'), [2]],
    ['a path', (item) => item.wire('origin.country', 'startsWith', 'S'), [1, 3]],
    ['texts alone', (item) => item.wire('meta.a', 'startsWith', ''), [2]],
    ['none of these', (item) => none(item.wire('name', 'startsWith', 'An')), [2, 3, 4, 5, 6, 7]]
  ],
  'a pattern matches where it is anchored': [
    ['anywhere', (item) => item.pattern('name', 'il', 'none'), [1, 4, 6]],
    ['at the start', (item) => item.pattern('name', 'A%i', 'start'), [1]],
    ['at the end', (item) => item.pattern('name', 'vil', 'end'), [1]],
    ['the whole text', (item) => item.pattern('name', 'An_il', 'whole'), [1]],
    ['not less', (item) => item.pattern('name', 'Anv', 'whole'), []]
  ],
  'regexp matches an expression': [
    ['start', (item) => item.regexp('name', '^A'), [1]],
    ['without case', (item) => item.regexp('name', '^b', true), [2]],
    ['choice', (item) => item.regexp('name', '^(A|C)'), [1, 3]],
    ['digits', (item) => item.regexp('name', '[0-9]+'), [4]]
  ],
  'a path leads into nested objects': [
    ['one step', (item) => item.is('origin.country', 'eq', 'SE'), [1, 3]],
    ['two steps', (item) => item.is('origin.address.city', 'eq', 'Oslo'), [2]],
    ['undeclared parts', (item) => item.is('meta.a', 'gt', 1), [5]],
    ['absent parts', (item) => item.is('origin.address', 'eq', null), [4, 5, 6, 7]]
  ],
  'a condition on a list holds for any item': [
    ['eq', (item) => item.is('tags', 'eq', 'iron'), [1, 4, 6]],
    ['gt', (item) => item.is('sizes', 'gt', 2), [3, 5]],
    ['inq', (item) => item.among('tags', 'inq', ['power', 'leather']), [2, 4]],
    ['like', (item) => item.wire('tags', 'like', 'lea%'), [2]],
    ['neq', (item) => item.is('tags', 'neq', 'iron'), [1, 2, 3, 4, 5, 7]],
    ['nin', (item) => item.among('tags', 'nin', ['iron']), [1, 2, 4, 5, 7]]
  ],
  'a path leads into lists': [
    ['to an item', (item) => item.is('tags.0', 'eq', 'iron'), [1, 4, 6]],
    ['into the objects of a list', (item) => item.is('meta.list.k', 'eq', 'y'), [1]],
    ['into one object of a list', (item) => item.is('meta.list.0.k', 'eq', 'y'), []],
    ['into an empty list, to nothing', (item) => item.is('tags.k', 'eq', null), [1, 2, 3, 4, 5, 6, 7]],
    ['into an empty list, nin', (item) => item.among('tags.k', 'nin', ['a']), [1, 2, 3, 4, 5, 6, 7]],
    ['into an empty list, nlike', (item) => item.wire('tags.k', 'nlike', 'a'), [1, 2, 3, 4, 5, 6, 7]],
    ['into an empty list, neq', (item) => item.is('tags.k', 'neq', null), []]
  ],
  'near finds points within a distance': [
    ['all that have a point', (item) => item.near('place', { lat: 55.7, lng: 13.2 }), [1, 2, 3, 4]],
    ['at most', (item) => item.near('place', { lat: 55.7, lng: 13.2, maxDistance: 50_000 }), [1, 4]],
    ['at least', (item) => item.near('place', { lat: 55.7, lng: 13.2, minDistance: 100_000 }), [2, 3]]
  ],
  'a name from the object model is an absent property': [
    ['constructor', (item) => item.is('constructor', 'neq', null), []],
    ['__proto__', (item) => item.is('__proto__', 'neq', null), []],
    ['toString of a part', (item) => item.is('origin.toString', 'neq', null), []]
  ]
}

/** What each operator finds. */
export const filterCases: readonly TestCase[] = Object.entries(expectations).map(([name, conditions]) => ({
  name,
  run: async (t, { models, collections }) => {
    await collections.Item.insert(items.map((item) => ({ ...item })))
    const item = conditionsOn(models.Item)
    for (const [describe, write, ids] of conditions) {
      const where = write(item)
      const rows = await collections.Item.find(filterOf({ where }))
      t.same(
        rows.map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b)),
        ids,
        `${describe}: finds`
      )
      t.equal(await collections.Item.count(where), ids.length, `${describe}: counts`)
    }
  }
}))
