import type { ModelDefinition } from '@modelwire/core'
import { postgresql } from '@modelwire/connector-postgresql'
import t, { type Test } from 'tap'
import { createTestDatabase, runOn, type TestDatabase } from '@modelwire/connector-tests/postgresql'
import { ask, classesOf, type JsonServer as Server, listOf, startJsonServer } from './fixtures/json-servers.ts'

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

/** What the database never writes: bytes, and lists and objects in columns of every type that holds them. */
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

const startServer = (t: Test, url: string, writes: boolean): Promise<Server> =>
  startJsonServer(t, { url, writes, models: modelsOf() })

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

/** After values that could not be written some calls pass before it is tried again. */
async function untilWritten(t: Test, writer: Server, path: string): Promise<void> {
  for (let call = 0; call < 300; call++) if ((await ask(writer, path)).written) return
  t.fail('it is never tried again')
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

/** What each case does with two servers on one database: one lets it write records, the other reads rows. */
const cases: Readonly<Record<string, (t: Test, writer: Server, reader: Server, url: string) => Promise<void>>> = {
  'lists and records that include nothing are rows, by a plain select': async (t, writer) => {
    const filters = whereCases.map((filter) => listOf('Things', filter))
    for (const path of [
      'Things',
      'Things/3',
      'Things/99',
      'Things/3?filter={"fields":["label"]}',
      'Things/findOne',
      ...filters
    ]) {
      t.match(await ask(writer, path), { written: false, count: 1 }, path)
      t.match(writer.statements, [/^select "/], path)
      t.notMatch(writer.statements[0], / as json\b|json_| ~ /, path)
    }
  },
  'lists are the same text, whoever writes them': async (t, writer, reader) => {
    for (const where of whereCases) {
      const filter = { ...where, include: 'maker' }
      const expected = await ask(reader, listOf('Things', filter))
      const answer = await ask(writer, listOf('Things', filter))
      t.equal(expected.written, false)
      t.same(answer, { ...expected, written: true, count: answer.count }, JSON.stringify(filter))
    }
  },
  'included records are the same text, and one statement': async (t, writer, reader) => {
    for (const [model, filter] of includeCases) {
      const expected = await ask(reader, listOf(model, filter))
      await ask(writer, listOf(model, filter))
      const answer = await ask(writer, listOf(model, filter))
      t.equal(expected.statusCode, 200)
      t.same(answer, { ...expected, written: true, count: 1 }, JSON.stringify(filter))
    }
  },
  'pages that lie about as deep are one statement': async (t, writer, reader) => {
    const texts = new Set<string>()
    for (const skip of [3, 4, 5, 6]) {
      const path = listOf('Things', { order: 'label DESC', limit: 2, skip, include: 'parts' })
      t.equal((await ask(writer, path)).body, (await ask(reader, path)).body)
      for (const statement of writer.statements) texts.add(statement)
    }
    t.equal(texts.size, 1)
  },
  'so is one record, and one that is not there': async (t, writer, reader) => {
    for (const path of [
      `Things/3?filter=${encodeURIComponent('{"include":"parts"}')}`,
      `Things/3?filter=${encodeURIComponent('{"fields":["label"],"include":"maker"}')}`,
      `Things/99?filter=${encodeURIComponent('{"include":"parts"}')}`,
      `Things/findOne?filter=${encodeURIComponent('{"order":"id DESC","include":["maker","parts"]}')}`,
      `Things/findOne?filter=${encodeURIComponent('{"where":{"label":"nothing"},"include":"maker"}')}`,
      `${listOf('Things', { include: 'parts' })}&_format=xml`
    ]) {
      const expected = await ask(reader, path)
      const answer = await ask(writer, path)
      t.same(answer, { ...expected, written: true, count: answer.count }, path)
    }
  },
  'values that the database writes in another way are read': async (t, writer, reader, url) => {
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
        const expected = await ask(reader, path)
        const answer = await ask(writer, path)
        t.same(answer.body, expected.body, `${column} ${value}`)
        t.ok(answer.count <= expected.count + 1, 'asked once more, or not for a text')
        await runOn(url, `update thing set ${column} = null where id = 1`)
      }
    }
    await untilWritten(t, writer, path)
  },
  'records with undeclared properties are read': async (t, writer, reader) => {
    const { Maker } = writer.app.models as unknown as Record<
      string,
      { create: (data: object) => Promise<unknown>; destroyById: (id: string) => Promise<unknown> }
    >
    await Maker?.create({ code: 'open', color: 'red', more: { deep: [1] } })
    const path = listOf('Makers', { include: 'things' })
    const expected = await ask(reader, path)
    t.match(expected.body, '"color":"red"')
    const answer = await ask(writer, path)
    t.same(answer, { ...expected, written: true, count: answer.count })
    const fields = listOf('Makers', { fields: ['code'], include: 'things' })
    await untilWritten(t, writer, fields)
    t.equal((await ask(writer, fields)).body, (await ask(reader, fields)).body)
    await Maker?.destroyById('open')
    await untilWritten(t, writer, path)
  },
  'numbers and times of all sizes are the same text': async (t, writer, reader, url) => {
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
    const expected = await ask(reader, listOf('Things', filter))
    const answer = await ask(writer, listOf('Things', filter))
    t.equal(answer.body, expected.body)
    t.equal(answer.written, true)
    t.ok(expected.body.length > 100_000)
    await runOn(url, 'delete from thing where label is null and id > 20')
  },
  'bytes are read': async (t, writer, reader) => {
    const path = (fields: object) => listOf('Others', { ...fields, include: 'maker' })
    const expected = await ask(reader, path({}))
    const answer = await ask(writer, path({}))
    t.same(answer, { ...expected, count: answer.count })
    t.equal((await ask(writer, path({ fields: ['label'] }))).written, true, 'unless they are left out')
  },
  'lists and objects are read, whatever the type of their column, and no statement has a regular expression': async (
    t,
    writer,
    reader
  ) => {
    const shown = ['list', 'words', 'data', 'more']
    const outer = [shown, ...shown.map((name) => [name])].map((names) =>
      listOf('Others', { fields: ['label', 'makerCode', ...names], include: 'maker' })
    )
    const inner = shown.map((name) =>
      listOf('Makers', { include: { relation: 'others', scope: { fields: ['makerCode', name] } } })
    )
    for (const path of [...outer, ...inner, listOf('Makers', { include: { others: 'maker' } }), 'Others', 'Others/1']) {
      const [expected, answer] = [await ask(reader, path), await ask(writer, path)]
      t.same(answer, { ...expected, written: false, count: answer.count }, path)
      t.same(
        writer.statements.filter((text) => / ~ /.test(text)),
        [],
        path
      )
    }
    const without = listOf('Makers', { include: { relation: 'others', scope: { fields: ['label', 'makerCode'] } } })
    await ask(writer, without)
    t.same(await ask(writer, without), { ...(await ask(reader, without)), written: true, count: 1 })
    t.same(
      writer.statements.filter((text) => / ~ /.test(text)),
      []
    )
  },
  'within a transaction rows are read': async (t, writer) => {
    await writer.app.models.transaction(async () => {
      t.equal((await ask(writer, listOf('Things', { include: 'parts' }))).written, false)
    })
  },
  'an observer of loaded sees the records, from the moment it is there': async (t, writer) => {
    t.equal((await ask(writer, listOf('Things', { include: 'parts' }))).written, true)
    const seen: unknown[] = []
    const model = writer.app.models.typeOf('Part')
    const observer = ({ data }: { data?: object }): void => void seen.push(data)
    model.hooks.observe('loaded', observer)
    t.equal((await ask(writer, listOf('Things', { include: 'parts' }))).written, false)
    t.ok(seen.length > 5)
    model.hooks.remove('loaded', observer)
  }
}

void t.test('records that PostgreSQL writes', async (t) => {
  const database: TestDatabase = await createTestDatabase()
  t.teardown(() => database.drop())
  const [writer, reader] = [await startServer(t, database.url, true), await startServer(t, database.url, false)]
  await createRecords(writer)
  for (const [name, run] of Object.entries(cases)) await t.test(name, async (t) => run(t, writer, reader, database.url))
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
