import * as fc from 'fast-check'
import { measureName, partNames, type PlainRequest, type Sale, type ValueTest } from './oracle.ts'

const shops = ['Ystad', 'Åre', 'berlin', 'Berlin', "O'Hare", '']
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 6 })
const money = fc
  .tuple(fc.bigInt(-99_999n, 9_999_999_999_999_999n), fc.integer({ min: 10, max: 99 }))
  .map(([whole, part]) => `${whole}.${part}`)
// Sums of quarters are exact, in whatever order they are added.
const quarter = fc.integer({ min: -4000, max: 4000 }).map((units) => units / 4)
const moment = fc
  .date({ min: new Date('1968-01-01T00:00:00.000Z'), max: new Date('2037-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString())

/** Sales of all kinds. */
export const sales: fc.Arbitrary<Sale[]> = fc
  .array(
    fc.record({
      shop: orNull(fc.constantFrom(...shops)),
      units: orNull(fc.integer({ min: -3, max: 5 })),
      price: orNull(quarter),
      amount: orNull(money),
      paid: orNull(fc.boolean()),
      at: orNull(moment)
    }),
    { minLength: 20, maxLength: 60 }
  )
  .map((list) => list.map((sale, at): Sale => ({ id: at + 1, ...sale })))

const operator = fc.constantFrom<ValueTest['operator']>('eq', 'neq', 'gt', 'gte', 'lt', 'lte')
const equality = fc.constantFrom<ValueTest['operator']>('eq', 'neq')
const testOf = (name: string, kind: fc.Arbitrary<ValueTest['operator']>, operand: fc.Arbitrary<ValueTest['operand']>) =>
  fc.record({ name: fc.constant(name), operator: kind, operand })

const where = fc.array(
  fc.oneof(
    testOf('shop', operator, fc.constantFrom(...shops)),
    testOf('units', operator, fc.integer({ min: -3, max: 5 })),
    testOf('price', operator, quarter),
    testOf('paid', equality, fc.boolean())
  ),
  { maxLength: 2 }
)

type Measure = PlainRequest['measures'][number]
const measured: readonly (readonly [string, readonly (keyof Sale)[]])[] = [
  ['count', ['shop', 'units', 'at', 'paid', 'amount']],
  ['sum', ['units', 'price', 'amount']],
  ['avg', ['units', 'price', 'amount']],
  ['min', ['shop', 'units', 'price', 'amount', 'at']],
  ['max', ['shop', 'units', 'price', 'amount', 'at']]
]
const allMeasures: readonly Measure[] = [
  { fn: 'count', of: undefined },
  { fn: 'count', of: undefined, alias: 'n' },
  ...measured.flatMap(([fn, names]) =>
    names.flatMap((of): Measure[] => [
      { fn, of },
      { fn, of, alias: `x_${fn}_${of}` }
    ])
  )
]
const allGroups: readonly PlainRequest['group'][number][] = [
  'shop',
  'units',
  'paid',
  ...partNames.map((part) => ({ part, of: 'at' as const })),
  { part: 'year', of: 'at', as: 'y' }
]
const groupName = (key: PlainRequest['group'][number]): string =>
  typeof key === 'string' ? key : (key.as ?? `${key.part}_${key.of}`)

/** Averages differ in their last digit between databases, and dates are texts to the oracle: neither is compared. */
const isCompared = ({ fn, of }: Measure): boolean => fn !== 'avg' && of !== 'at' && of !== 'shop'

function havingOf(measures: readonly Measure[]): fc.Arbitrary<ValueTest[]> {
  const tests = measures.filter(isCompared).map((each) => {
    const isMoney = each.of === 'amount' && each.fn !== 'count'
    return testOf(measureName(each), operator, isMoney ? money : fc.integer({ min: -2, max: 6 }))
  })
  return tests.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...tests), { maxLength: 2 })
}

/** Requests for sums and groups. @param decimals whether the database has exact numbers that can be summed */
export function requests(decimals: boolean): fc.Arbitrary<PlainRequest> {
  const measures = allMeasures.filter(({ of }) => decimals || of !== 'amount')
  const chosen = fc.tuple(
    fc.subarray([...allGroups], { maxLength: 3 }),
    fc.subarray([...measures], { minLength: 1, maxLength: 5 })
  )
  return chosen.chain(([group, some]) => {
    const names = [...group.map(groupName), ...some.filter(({ fn }) => fn !== 'avg').map(measureName)]
    const step = fc.record({ name: fc.constantFrom('', ...names), descending: fc.boolean() })
    const steps = fc.uniqueArray(step, { maxLength: 2, selector: ({ name }) => name })
    return fc.record({
      where,
      group: fc.constant(group),
      measures: fc.constant(some),
      having: havingOf(some),
      order: steps.map((list) => list.filter(({ name }) => name !== '')),
      limit: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
      skip: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3 }))
    })
  })
}
