import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import { migrate, modelwire, ModelRegistry, planMigration } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import t, { type Test } from 'tap'

/** Columns that no migration makes for a string, with two values of each in the order of their strings, as the server writes them. */
const columns: Readonly<Record<string, readonly [type: string, low: string, high: string]>> = {
  clock: ['time', '08:30:00', '09:15:00'],
  zoned: ['timetz', '08:30:00+00', '09:15:00+00'],
  span: ['interval', '02:00:00', '1 day'],
  address: ['inet', '10.0.0.10', '10.0.0.9'],
  day: ['date', '2020-01-31', '2021-01-01'],
  written: ['timestamp', '2020-01-31 12:30:00', '2021-01-01 00:00:00'],
  number: ['integer', '9', '10'],
  mood: ['mood', 'happy', 'sad'],
  range: ['int4range', '[1,3)', '[2,3)'],
  bits: ['bit(3)', '001', '100'],
  key: ['uuid', '01234567-89ab-4cde-8f01-23456789abcd', '11234567-89ab-4cde-8f01-23456789abcd'],
  pay: ['money', '$1.00', '$2.50'],
  mac: ['macaddr', '08:00:2b:01:02:03', '08:00:2b:01:02:04'],
  search: ['tsvector', "'a':1 'cat':2", "'b':1"],
  mark: ['pg_lsn', '0/16B3748', '0/A'],
  kind: ['"char"', 'a', 'b'],
  net: ['cidr', '10.0.0.0/8', '192.168.0.0/16'],
  flag: ['boolean', 'false', 'true'],
  doc: ['xml', '<a/>', '<b/>'],
  moment: ['timestamptz', '2020-01-31T12:30:00.000Z', '2021-01-01T00:00:00.500Z'],
  bitty: ['varbit', '01', '1'],
  shape: ['box', '(3,4),(1,2)', '(4,4),(1,2)'],
  ratio: ['double precision', '0.5', '2'],
  tags: ['text[]', '{a,b}', '{b}'],
  spans: ['interval[]', '{01:00:00}', '{02:00:00,"1 day"}'],
  word: ['short_text', 'B', 'a'],
  label: ['shorter_text', 'B', 'a'],
  // In the order of citext, which ignores case.
  lax: ['lax_text', 'a', 'B'],
  // These have no order, and no equality: their texts have.
  place: ['point', '(1,2)', '(3,4)'],
  circle: ['circle', '<(1,2),3>', '<(3,4),1>'],
  plain: ['json', '{"a": 1}', '{"b": 1}']
}

const names = Object.keys(columns)
const low = Object.fromEntries(names.map((name) => [name, columns[name]?.[1]]))
const high = Object.fromEntries(names.map((name) => [name, columns[name]?.[2]]))

async function serve(t: Test) {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await runOn(database.url, "create type mood as enum ('sad', 'happy')")
  await runOn(database.url, 'create domain short_text as varchar(9)')
  await runOn(database.url, 'create domain shorter_text as short_text')
  await runOn(database.url, 'create extension citext; create domain lax_text as citext')
  const list = names.map((name) => `"${name}" ${columns[name]?.[0] ?? ''}`).join(', ')
  await runOn(database.url, `create table kin (id serial primary key, ${list})`)
  const app = Fastify()
  t.teardown(() => app.close())
  const strings = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
  await app.register(modelwire, {
    dataSources: { db: postgresql({ url: database.url, max: 2 }) },
    models: [
      {
        name: 'Kin',
        public: true,
        strict: true,
        properties: { id: { type: 'number', id: true, generated: true }, ...strings }
      }
    ]
  })
  await app.register(rest, { prefix: '/api' })
  return { app, Kin: app.models.get('Kin') }
}

void t.test('strings in columns of other types are read, written, ordered and compared', async (t) => {
  const { app, Kin } = await serve(t)
  const second = await Kin.create(high)
  const first = await Kin.create(low)
  t.match(await Kin.findById(first['id']), low, 'as the server writes them')
  const upserted = await Kin.upsert({ id: second['id'], ...high })
  t.match(upserted, high, 'an upsert returns the same')
  const patched = await app.inject({
    method: 'PATCH',
    url: `/api/Kins/${String(second['id'])}`,
    payload: { span: high['span'] }
  })
  t.match(patched.json(), high, 'a patch as well')
  for (const name of names) {
    const find = async (filter: object): Promise<unknown> => {
      const answer = await app.inject({ url: '/api/Kins', query: { filter: JSON.stringify(filter) } })
      t.equal(answer.statusCode, 200, `${name}: ${JSON.stringify(filter)} ${answer.body.slice(0, 200)}`)
      return answer.json<{ id: unknown }[]>().map(({ id }) => id)
    }
    const [one, two] = [[first['id']], [second['id']]]
    t.strictSame(await find({ order: name }), [...one, ...two], `${name} ascends`)
    t.strictSame(await find({ order: `${name} DESC` }), [...two, ...one], `${name} descends`)
    t.strictSame(await find({ where: { [name]: low[name] } }), one, `${name} is equal`)
    t.strictSame(await find({ where: { [name]: { inq: [high[name], low[name]] } }, order: name }), [...one, ...two])
    t.strictSame(await find({ where: { [name]: { gt: low[name] } } }), two, `${name} is greater`)
    t.strictSame(await find({ where: { [name]: { between: [low[name], low[name]] } } }), one, `${name} is within`)
    const start = high[name]?.replaceAll(/[\\%_]/g, String.raw`\$&`)
    t.strictSame(await find({ where: { [name]: { like: `${start}%` } } }), two, `${name} begins so`)
    t.strictSame(await find({ where: { [name]: { regexp: '^.' } }, order: name }), [...one, ...two], `${name} matches`)
  }
})

void t.test('an index of such a column can be made, and those that fit are not told of', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await runOn(database.url, 'create domain short_text as varchar(9)')
  await runOn(
    database.url,
    'create table slot (id serial primary key, clock time, amount integer, word short_text, tags text[])'
  )
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, {
    dataSources: { db: postgresql({ url: database.url, max: 2 }) },
    models: [
      {
        name: 'Slot',
        strict: true,
        properties: {
          id: { type: 'number', id: true, generated: true },
          clock: { type: 'string', index: true },
          amount: { type: 'string', index: true },
          word: { type: 'string', index: true },
          tags: 'string'
        }
      }
    ]
  })
  await t.resolves(migrate(app.models))
  const [plan] = await planMigration(app.models)
  t.match(plan?.notes, [/column amount of slot is integer/])
  t.equal(plan?.notes.length, 1)
  const [indexes] = await runOn(database.url, "select indexdef from pg_indexes where tablename = 'slot'")
  t.match(JSON.stringify(indexes?.rows), /\(word COLLATE/, 'with the order that queries ask for')
})

void t.test(
  'strings of a domain that a migration makes columns of are compared and ordered as code does',
  async (t) => {
    const database = await createTestDatabase()
    t.teardown(() => database.drop())
    const collation = "create collation lax (provider = icu, locale = 'und-u-ks-level1', deterministic = false)"
    await runOn(database.url, collation)
    await runOn(database.url, 'create domain word as text collate "und-x-icu"')
    await runOn(database.url, 'create domain lax_word as text collate lax')
    const registry = new ModelRegistry()
    registry.addDataSource('db', postgresql({ url: database.url, max: 2 }))
    t.teardown(() => registry.disconnect())
    const column = (dataType: string) => ({ type: 'string', postgresql: { dataType } })
    const properties = { id: { ...column('lax_word'), id: true, generated: false }, label: column('word') }
    registry.define({ name: 'Sign', strict: true, properties })
    registry.attach('Sign', 'db')
    await registry.connect()
    await migrate(registry)
    const Sign = registry.get('Sign')
    for (const label of ['a', 'B', 'C']) await Sign.create({ id: label, label })
    const labelsOf = async (filter: object): Promise<unknown> => (await Sign.find(filter)).map(({ label }) => label)
    t.strictSame(await labelsOf({ order: 'label' }), ['B', 'C', 'a'])
    t.strictSame(await labelsOf({ where: { label: { gt: 'B' } }, order: 'label' }), ['C', 'a'])
    t.strictSame(await labelsOf({ where: { label: 'A' } }), [])
    t.equal(await Sign.findById('A'), null, 'an id is its characters, whatever the domain takes for equal')
    t.match(await Sign.findById('a'), { label: 'a' })
  }
)

void t.test('numbers of single precision equal what is read of them', async (t) => {
  const database = await createTestDatabase()
  const registry = new ModelRegistry()
  registry.addDataSource('db', postgresql({ url: database.url }))
  t.teardown(async () => {
    await registry.disconnect()
    await database.drop()
  })
  registry.define({ name: 'mass', properties: { id: { type: 'number', id: true }, grams: 'number' } })
  registry.attach('mass', 'db')
  await runOn(
    database.url,
    'create table mass (id int primary key, grams real)',
    'insert into mass values (1, 78.4), (2, 0.1)'
  )
  const idsOf = async (where: object): Promise<unknown[]> =>
    (await registry.get('mass').find({ where, order: ['grams'] })).map(({ id }) => id)
  t.strictSame(await idsOf({ grams: 78.4 }), [1])
  t.strictSame(await idsOf({ grams: { gt: 0.1 } }), [1])
  t.strictSame(await idsOf({ grams: { inq: [0.1, 78.4] } }), [2, 1])
  t.strictSame(await idsOf({ grams: { neq: 78.4 } }), [2])
  t.strictSame(await idsOf({ grams: { between: [0.1, 78.4] } }), [2, 1])
})
