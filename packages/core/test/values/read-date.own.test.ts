import t from 'tap'
import { readDate } from '#src/values/read-date.ts'
import { buildModels } from '../build-models.ts'

const known = process.env['TZ']
process.env['TZ'] = 'America/New_York'
t.teardown(() => {
  if (known === undefined) delete process.env['TZ']
  else process.env['TZ'] = known
})

const noon = '2024-06-01T12:00:00.000Z'
const midnight = '2024-06-01T00:00:00.000Z'
const inNewYork = '2024-06-01T16:00:00.000Z'

const withoutZone: readonly (readonly [text: string, moment: string])[] = [
  ['2024-06-01T12:00:00', noon],
  ['2024-06-01T12:00', noon],
  ['2024-06-01t12:00:00', noon],
  ['12:00 2024-06-01', noon],
  ['2024-06-01 12:00:00', noon],
  ['2024-06-01 12:00:00.000', noon],
  ['June 1, 2024 12:00', noon],
  ['6/1/2024 12:00 PM', noon],
  ['Sat Jun 01 2024 12:00:00', noon],
  ['2024/06/01', midnight],
  ['1-6-2024', '2024-01-06T00:00:00.000Z'],
  ['2024-6-1', midnight]
]

const withZone: readonly (readonly [text: string, moment: string])[] = [
  ['2024-06-01', midnight],
  ['2024-06', midnight],
  ['2024', '2024-01-01T00:00:00.000Z'],
  ['2024-06-01T12:00:00Z', noon],
  ['2024-06-01T12:00:00.000Z', noon],
  ['2024-06-01T14:00:00+02:00', noon],
  ['2024-06-01 07:00:00 -0500', noon],
  ['Sat, 01 Jun 2024 12:00:00 GMT', noon],
  ['Sat Jun 01 2024 14:00:00 GMT+0200 (CEST)', noon],
  ['Jun 1 2024 08:00 EDT', noon]
]

t.test('a string without a zone is in UTC', async (t) => {
  for (const [text, moment] of [...withoutZone, ...withZone]) t.equal(readDate(text).toJSON(), moment, text)
  for (const text of ['', 'x', '2024-13-01T12:00', '12:00']) t.ok(Number.isNaN(readDate(text).getTime()), text)
})

t.test('LoopBack reads it in the zone of the process', async (t) => {
  t.equal(readDate('2024-06-01T12:00:00', true).toJSON(), inNewYork)
  t.equal(readDate('2024-06-01', true).toJSON(), midnight)
})

const written = '2024-06-01T12:00:00'

const event = {
  name: 'Event',
  properties: {
    at: { type: 'date', default: written },
    days: ['date'],
    place: { opened: 'date' }
  }
}

async function seed(compat: boolean) {
  const Event = buildModels([event], { compat }).get('Event')
  await Event.create([{ at: written, days: [written], place: { opened: written } }, {}])
  return Event
}

t.test('data, defaults and conditions agree', async (t) => {
  for (const [compat, moment] of [
    [false, noon],
    [true, inNewYork]
  ] as const) {
    const Event = await seed(compat)
    const [first, second] = (await Event.find()).map((each) => JSON.parse(JSON.stringify(each)) as object)
    t.match(first, { at: moment, days: [moment], place: { opened: moment } })
    t.match(second, { at: moment })
    t.equal(await Event.count({ at: written }), 2)
    t.equal(await Event.count({ at: { between: [written, moment] } }), 2)
    t.equal(await Event.count({ at: { gt: written } }), 0)
    t.equal(await Event.count({ at: { neq: written } }), 0)
  }
})

t.test('ids that are dates are read alike', async (t) => {
  const days = [{ name: 'Day', forceId: false, properties: { at: { type: 'date', id: true }, note: 'string' } }]
  for (const compat of [false, true]) {
    const Day = buildModels(days, { compat }).get('Day')
    await Day.create({ at: written, note: 'x' })
    t.match(await Day.findById(written), { note: 'x' })
  }
})

t.test('constants of checks are in UTC', async (t) => {
  const checked = { ...event, checks: { late: { where: { at: { gte: written } } } } }
  const Event = buildModels([checked]).get('Event')
  await Event.create({ at: noon })
  await t.rejects(Event.create({ at: '2024-06-01T11:59:59.999Z' }), { name: 'ValidationError' })
})
