import t from 'tap'
import type { ModelDefinition } from '#src/index.ts'
import { buildModels } from '../build-models.ts'

const booking = (checks: unknown): ModelDefinition =>
  ({
    name: 'Booking',
    properties: {
      startsAt: 'date',
      endsAt: 'date',
      low: 'number',
      high: 'number',
      state: 'string',
      place: 'object',
      paid: 'boolean'
    },
    checks
  }) as ModelDefinition // the tests write wrong ones, too

async function refusal(checks: object, data: object): Promise<unknown> {
  try {
    await buildModels([booking(checks)])
      .get('Booking')
      .create({ ...data })
    return undefined
  } catch (error) {
    return (error as { details: { codes: object; messages: object } }).details
  }
}

void t.test('a check compares properties with each other and with constants', async (t) => {
  const later = { later: { where: { endsAt: { gt: { property: 'startsAt' } } } } }
  t.match(await refusal(later, { startsAt: '2024-05-02', endsAt: '2024-05-01' }), {
    codes: { endsAt: ['check.later'] },
    messages: { endsAt: ['must be greater than startsAt'] }
  })
  t.equal(await refusal(later, { startsAt: '2024-05-01', endsAt: '2024-05-02' }), undefined)
  t.equal(await refusal(later, { startsAt: '2024-05-01' }), undefined, 'an absent value violates nothing')
  const either = { either: { where: { or: [{ low: { neq: null } }, { high: { neq: null } }] }, message: 'needs one' } }
  t.match(await refusal(either, { state: 'x' }), { codes: { low: ['check.either'] }, messages: { low: ['needs one'] } })
  t.equal(await refusal(either, { high: 0 }), undefined)
  const both = { both: { where: { low: { gte: 0, lt: 10 }, state: { neq: 'closed' }, paid: true } } }
  t.match(await refusal(both, { low: 10, state: 'a', paid: true }), {
    messages: { low: ['does not satisfy the check "both" on low, state, paid'] }
  })
  t.ok(await refusal(both, { low: 1, state: 'closed' }))
  t.ok(await refusal(both, { paid: false }))
  t.equal(await refusal(both, { low: 0, state: 'open' }), undefined)
  const day = { day: { where: { startsAt: { gte: '2024-01-01' } } } }
  t.ok(await refusal(day, { startsAt: '2023-12-31' }))
  t.equal(await refusal(day, { startsAt: '2024-01-01' }), undefined)
})

void t.test('a change is checked with the values that the record keeps', async (t) => {
  const models = buildModels([booking({ ordered: { where: { high: { gte: { property: 'low' } } } } })])
  const Booking = models.get('Booking')
  const record = await Booking.create({ low: 1, high: 5 })
  await t.rejects(async () => record.updateAttributes({ low: 6 }), { code: 'VALIDATION_FAILED' })
  await record.updateAttributes({ low: 5, state: 'x' })
  t.match(await Booking.findById(record.id), { low: 5, high: 5 })
})

void t.test('models inherit checks, and may replace them by name', async (t) => {
  const models = buildModels([
    booking({ ordered: { where: { high: { gte: { property: 'low' } } } } }),
    { name: 'Loose', base: 'Booking', checks: { ordered: { where: { high: { gte: 0 } }, message: 'negative' } } },
    { name: 'Same', base: 'Booking' }
  ])
  await models.get('Loose').create({ low: 2, high: 1 })
  await t.rejects(async () => models.get('Loose').create({ high: -1 }), { code: 'VALIDATION_FAILED' })
  await t.rejects(async () => models.get('Same').create({ low: 2, high: 1 }), { code: 'VALIDATION_FAILED' })
})

const wrong: readonly (readonly [check: unknown, message: RegExp])[] = [
  [{ where: {} }, /must test at least one property/],
  ['x', /a check requires a "where"/],
  [{ where: { low: { constructor: 1 } } }, /unknown operator "constructor"/],
  [{ where: { nope: 1 } }, /unknown property "nope"/],
  [{ where: { low: { like: 1 } } }, /unknown operator "like"/],
  [{ where: { low: { gt: { property: 'state' } } } }, /"low" and "state" have types that cannot be compared/],
  [{ where: { low: { gt: { property: 5 } } } }, /must be compared with a value/],
  [{ where: { low: 'x' } }, /must be a number/],
  [{ where: { startsAt: 'soon' } }, /must be a date/],
  [{ where: { place: { eq: { property: 'place' } } } }, /"place" can only be compared with null/],
  [{ where: { low: { gt: null } } }, /null can only be compared with eq and neq/],
  [{ where: { or: [] } }, /"or" must be a list of conditions/],
  [{ where: { and: { low: 1 } } }, /"and" must be a list of conditions/]
]

void t.test('a malformed check ends the start', async (t) => {
  for (const [check, message] of wrong)
    t.throws(() => buildModels([booking({ odd: check })]), { code: 'MODEL_DEFINITION_INVALID', message })
})

void t.test('settings of this name of LoopBack models are none of these', async (t) => {
  const models = buildModels([{ name: 'Old', properties: { a: 'number' }, checks: ['credit'] }], { compat: true })
  await models.get('Old').create({ a: 1 })
  t.throws(() => buildModels([booking(['credit'])]), { code: 'MODEL_DEFINITION_INVALID', message: /checks must be/ })
})
