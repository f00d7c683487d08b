import type { ModelDefinition } from '@modelwire/core'
import { postgresql } from '@modelwire/connector-postgresql'
import t, { type Test } from 'tap'
import { createTestDatabase, runOn, type TestDatabase } from '@modelwire/connector-tests/postgresql'
import { ask, classesOf, type RowServer as Server, listOf, startRowServer } from './fixtures/row-servers.ts'

const maker: ModelDefinition = {
  name: 'Maker',
  public: true,
  properties: { code: { type: 'string', id: true }, label: 'string', secret: 'string', note: 'string' },
  hidden: ['secret'],
  protected: ['note'],
  relations: {
    things: { type: 'hasMany', model: 'Thing', foreignKey: 'makerCode' },
    others: { type: 'hasMany', model: 'Other', foreignKey: 'makerCode' }
  }
}

const thing: ModelDefinition = {
  name: 'Thing',
  public: true,
  properties: {
    label: 'string',
    price: 'number',
    exact: { type: 'number', postgresql: { dataType: 'numeric' } },
    whole: { type: 'number', postgresql: { dataType: 'bigint' } },
    small: { type: 'number', postgresql: { dataType: 'smallint' } },
    short: { type: 'string', postgresql: { dataType: 'character varying', dataLength: 40 } },
    padded: { type: 'string', postgresql: { dataType: 'char', dataLength: 5 } },
    active: 'boolean',
    made: 'date',
    place: 'geopoint',
    makerCode: 'string',
    'it\'s "odd"': 'string'
  },
  relations: {
    maker: { type: 'belongsTo', model: 'Maker', foreignKey: 'makerCode' },
    parts: { type: 'hasMany', model: 'Part', foreignKey: 'thingId', scope: { order: 'rank DESC' } }
  }
}

const part: ModelDefinition = {
  name: 'Part',
  public: true,
  properties: { rank: 'number', name: 'string', thingId: 'number', hint: { type: 'string', hidden: true } },
  relations: { thing: { type: 'belongsTo', model: 'Thing', foreignKey: 'thingId' } }
}

/** Bytes, and lists and objects in columns of every type that holds them. */
const other: ModelDefinition = {
  name: 'Other',
  public: true,
  properties: {
    label: 'string',
    list: ['number'],
    words: { type: ['string'], postgresql: { dataType: 'text' } },
    data: { type: 'object', postgresql: { dataType: 'json' } },
    more: { type: 'object', postgresql: { dataType: 'character varying' } },
    bytes: 'buffer',
    makerCode: 'string'
  },
  relations: { maker: { type: 'belongsTo', model: 'Maker', foreignKey: 'makerCode' } }
}

/** The property with quotes in its name would need a column of that name. */
function modelsOf(): readonly ModelDefinition[] {
  const { 'it\'s "odd"': odd, ...plain } = thing.properties ?? {}
  const named = { ...plain, 'it\'s "odd"': { type: odd, postgresql: { columnName: 'odd' } } }
  return [maker, { ...thing, properties: named }, part, other]
}

const startServer = (t: Test, url: string, asSent: boolean): Promise<Server> =>
  startRowServer(t, { url, asSent, models: modelsOf() })

async function compare(t: Test, quick: Server, reading: Server, path: string, why = path) {
  const expected = await ask(reading, path)
  const answer = await ask(quick, path)
  t.same(answer, expected, why)
  return answer
}

async function createRecords(server: Server): Promise<void> {
  const { Maker, Thing, Part, Other } = classesOf(server)
  await Maker?.create({ code: 'a', label: 'Å "quoted" \\ \n\t\u0001\u007f\u2028 😀 </script>', secret: 's', note: 'n' })
  await Maker?.create({ code: "b'; drop table thing; --", label: null })
  for (const [at, price] of [0, -0, 1, 0.1, -1.5, 1e-4, 123456.789, 5e14 + 0.25, 2 ** 53 - 1, -12].entries()) {
    const made = new Date(Date.UTC(1950 + at * 13, at, 28, 23, 59, 59, at * 111))
    const sides = {
      place: { lat: at / 3, lng: -at * 7.25 },
      makerCode: ['a', "b'; drop table thing; --", 'nobody', null][at % 4]
    }
    const texts = { short: `s${at}'`, padded: 'x', 'it\'s "odd"': `"${at}"` }
    const created = await Thing?.create({
      label: `t${at}`,
      price,
      exact: price,
      whole: at * 1e12,
      small: at,
      active: at % 2 === 0,
      made,
      ...sides,
      ...texts
    })
    for (let rank = 0; rank < at % 5; rank++)
      await Part?.create({ rank, name: `p${rank}`, thingId: created?.id, hint: 'h' })
  }
  await Thing?.create({})
  const json = { list: [1, 2.5], words: ['a, b', '"'], data: { b: 1, a: [null] }, more: { deep: [{ '1': 2 }] } }
  for (const makerCode of ['a', 'nobody'])
    await Other?.create({ label: 'o', ...json, bytes: Buffer.from('ab'), makerCode })
}

const whereCases: readonly object[] = [
  {},
  { where: { price: { gt: 0 } }, order: 'price DESC' },
  { where: { or: [{ label: { like: 't%' } }, { active: null }] }, order: ['active', 'label DESC'], limit: 3, skip: 1 },
  { where: { place: { near: '1,2' } } },
  { where: { label: 'nothing' } },
  { fields: ['label', 'made'] },
  { fields: { price: false } },
  { order: 'made DESC', limit: 4, fields: ['id'] }
]

const includeCases: readonly (readonly [string, object])[] = [
  ['Things', { include: 'parts' }],
  ['Things', { include: 'maker' }],
  ['Things', { include: ['parts', 'maker'], where: { small: { lt: 6 } }, order: 'label DESC', limit: 5, skip: 1 }],
  ['Things', { include: { relation: 'parts', scope: { limit: 2, skip: 1, order: 'rank' } } }],
  ['Things', { include: { relation: 'parts', scope: { where: { rank: { gt: 0 } }, fields: ['name'] } } }],
  ['Things', { include: { relation: 'parts', scope: { include: 'thing', limit: 1 } } }],
  ['Things', { include: { relation: 'maker', scope: { fields: ['label'] } }, fields: ['label', 'makerCode'] }],
  ['Things', { include: 'parts', fields: ['label'] }],
  ['Things', { include: 'parts', where: { label: 'nothing' } }],
  ['Makers', { include: { things: 'parts' } }],
  ['Makers', { include: { relation: 'things', scope: { include: ['maker', 'parts'], limit: 2, order: 'price DESC' } } }]
]

/** What each case does with two servers on one database: one writes what the driver sent, the other reads all values before. */
const cases: Readonly<Record<string, (t: Test, quick: Server, reading: Server, url: string) => Promise<void>>> = {
  'lists and records are read by a plain select': async (t, quick) => {
    const filters = whereCases.map((filter) => listOf('Things', filter))
    for (const path of ['Things', 'Things/3', 'Things/99', 'Things/findOne', ...filters]) {
      await ask(quick, path)
      t.match(quick.statements, [/^select "/], path)
      t.equal(quick.statements.length, 1)
      t.notMatch(quick.statements[0], /json_| ~ /, path)
    }
  },
  'lists are the same text': async (t, quick, reading) => {
    for (const filter of [...whereCases, ...whereCases.map((each) => ({ ...each, include: 'maker' }))])
      await compare(t, quick, reading, listOf('Things', filter))
  },
  'included records are the same text': async (t, quick, reading) => {
    for (const [model, filter] of includeCases) await compare(t, quick, reading, listOf(model, filter))
  },
  'so is one record, and one that is not there': async (t, quick, reading) => {
    for (const path of [
      'Things/3',
      'Things/99',
      `Things/3?filter=${encodeURIComponent('{"include":"parts"}')}`,
      `Things/3?filter=${encodeURIComponent('{"fields":["label"],"include":"maker"}')}`,
      `Things/99?filter=${encodeURIComponent('{"include":"parts"}')}`,
      'Makers/a/things',
      'Things/3/maker',
      `Things/findOne?filter=${encodeURIComponent('{"order":"id DESC","include":["maker","parts"]}')}`,
      `Things/findOne?filter=${encodeURIComponent('{"where":{"label":"nothing"},"include":"maker"}')}`,
      `${listOf('Things', { include: 'parts' })}&_format=xml`
    ])
      await compare(t, quick, reading, path)
  },
  'values that JavaScript writes in another way are the same text': async (t, quick, reading, url) => {
    const values: Readonly<Record<string, readonly string[]>> = {
      price: ["'NaN'", "'Infinity'", '1e21', '1e-7', '123456789012345680', '5e-324', '-1.7976931348623157e308'],
      exact: ["'NaN'", '1e-30', '123456789012345678901234567890'],
      whole: ['9007199254740993'],
      made: ["'infinity'", "'-infinity'", "'0044-03-15 BC'", "'12345-01-01'", "'0099-01-01'"],
      place: ["'(NaN,1e300)'"]
    }
    const path = listOf('Things', { limit: 2, include: 'parts' })
    for (const [column, list] of Object.entries(values)) {
      for (const value of list) {
        await runOn(url, `update thing set ${column} = ${value} where id = 1`)
        await compare(t, quick, reading, path, `${column} ${value}`)
        await runOn(url, `update thing set ${column} = null where id = 1`)
      }
    }
  },
  'records with undeclared properties are the same text': async (t, quick, reading) => {
    const { Maker } = quick.app.models as unknown as Record<
      string,
      { create: (data: object) => Promise<unknown>; destroyById: (id: string) => Promise<unknown> }
    >
    await Maker?.create({ code: 'open', color: 'red', more: { deep: [1] } })
    const path = listOf('Makers', { include: 'things' })
    t.match((await ask(reading, path)).body, '"color":"red"')
    await compare(t, quick, reading, path)
    await compare(t, quick, reading, listOf('Makers', { fields: ['code'], include: 'things' }))
    await Maker?.destroyById('open')
  },
  'numbers and times of all sizes are the same text': async (t, quick, reading, url) => {
    await runOn(
      url,
      `insert into thing (price, exact, made) select sign(random() - 0.5) * exp(random() * 80 - 30), (random() * 1e9)::numeric(20, 5),
        timestamptz '1000-01-01Z' + random() * interval '8999 years' from generate_series(1, 3000)`
    )
    const filter = {
      include: 'maker',
      where: {
        and: [
          { label: null },
          { price: { between: [-1e15, 1e15] } },
          { or: [{ price: { gt: 1e-4 } }, { price: { lt: -1e-4 } }] }
        ]
      }
    }
    const { body } = await compare(t, quick, reading, listOf('Things', filter))
    t.ok(body.length > 100_000)
    await runOn(url, 'delete from thing where label is null and id > 20')
  },
  'bytes, lists and objects are the same text': async (t, quick, reading) => {
    const shown = ['list', 'words', 'data', 'more', 'bytes']
    const lists = [shown, ...shown.map((name) => [name])].map((names) =>
      listOf('Others', { fields: ['label', 'makerCode', ...names], include: 'maker' })
    )
    for (const path of [...lists, listOf('Makers', { include: { others: 'maker' } }), 'Others', 'Others/1'])
      await compare(t, quick, reading, path)
  },
  'within a transaction, too': async (t, quick, reading) => {
    const path = listOf('Things', { include: 'parts' })
    const { body } = await ask(reading, path)
    await quick.app.models.transaction(async () => t.equal((await ask(quick, path)).body, body))
  },
  'an observer of loaded sees the records, from the moment it is there': async (t, quick) => {
    const path = listOf('Things', { include: 'parts' })
    const { body } = await ask(quick, path)
    const seen: unknown[] = []
    const model = quick.app.models.typeOf('Part')
    const observer = ({ data }: { data?: object }): void => void seen.push(Object.keys(data ?? {}))
    model.hooks.observe('loaded', observer)
    t.equal((await ask(quick, path)).body, body)
    t.ok(seen.length > 5)
    t.match(seen[0], ['rank', 'name'])
    model.hooks.remove('loaded', observer)
  }
}

void t.test('rows that are written as PostgreSQL sent them', async (t) => {
  const database: TestDatabase = await createTestDatabase()
  t.teardown(() => database.drop())
  const [quick, reading] = [await startServer(t, database.url, true), await startServer(t, database.url, false)]
  await createRecords(quick)
  for (const [name, run] of Object.entries(cases)) await t.test(name, async (t) => run(t, quick, reading, database.url))
})

void t.test('a connector that only ran statements of its own leaves no connection behind', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const connector = postgresql({ url: database.url })
  await connector.ping()
  await connector.disconnect()
  const others = 'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  const [result] = await runOn(database.url, others)
  t.same(result?.rows, [])
})

void t.test('a remote hook sees records with all of their properties', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const quick = await startServer(t, database.url, true)
  await createRecords(quick)
  const seen: unknown[] = []
  const watching = await startRowServer(t, {
    url: database.url,
    models: modelsOf(),
    prepare: async (app) => {
      app.models.remoteHooks.add(
        'after',
        'Thing.find',
        ({ result }) => void seen.push(JSON.parse(JSON.stringify(result)))
      )
    }
  })
  const path = listOf('Things', { include: ['parts', 'maker'], where: { label: 't2' } })
  const { body } = await ask(quick, path)
  t.equal((await ask(watching, path)).body, body)
  t.same(seen, [JSON.parse(body)])
})
