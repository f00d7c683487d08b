import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import type { ModelDefinition } from '@modelwire/core'
import * as fc from 'fast-check'
import t, { type Test } from 'tap'
import { ask, classesOf, type RowServer, listOf, startRowServer } from './fixtures/row-servers.ts'

/** As loopback-connector-postgresql makes them of the models below. */
const tables = [
  `create table item ("label" text, "tags" text, "size" text, "any" text, "short" varchar(20), "raw" json, "secret" text, "note" text,
    "at" timestamp, "day" date, "ratio" real, "partids" text, "id" serial, primary key ("id"))`,
  `create table part ("name" text, "itemid" integer, "specs" text, "hint" text, "id" serial, primary key ("id"))`,
  `create table stop ("at" timestamp, "day" date, "ratio" real, "secret" text, "nextid" integer, "id" serial, primary key ("id"))`
]

const column = (type: unknown, dataType: string): object => ({ type, postgresql: { dataType } })

const item = {
  name: 'Item',
  public: true,
  properties: {
    label: 'string',
    tags: ['string'],
    size: 'object',
    any: 'any',
    short: column(['any'], 'varchar'),
    raw: column('object', 'json'),
    secret: 'object',
    note: 'object',
    at: column('date', 'timestamp'),
    day: column('date', 'date'),
    ratio: column('number', 'real'),
    partIds: ['number']
  },
  hidden: ['secret'],
  protected: ['note'],
  relations: {
    parts: { type: 'hasMany', model: 'Part', foreignKey: 'itemId' },
    listed: { type: 'referencesMany', model: 'Part', foreignKey: 'partIds' }
  }
}

const part = {
  name: 'Part',
  public: true,
  properties: { name: 'string', itemId: 'number', specs: 'object', hint: { type: 'object', hidden: true } },
  relations: { item: { type: 'belongsTo', model: 'Item', foreignKey: 'itemId' } }
}

/** No list or object of it is shown. */
const stop = {
  name: 'Stop',
  public: true,
  properties: {
    at: column('date', 'timestamp'),
    day: column('date', 'date'),
    ratio: column('number', 'real'),
    secret: 'object',
    nextId: 'number'
  },
  hidden: ['secret'],
  relations: {
    next: { type: 'belongsTo', model: 'Stop', foreignKey: 'nextId' },
    before: { type: 'hasMany', model: 'Stop', foreignKey: 'nextId' }
  }
}

// Model files have more in their properties than the type of definitions.
const models = [item, part, stop] as unknown as readonly ModelDefinition[]

interface Servers {
  readonly url: string
  readonly quick: RowServer
  readonly reading: RowServer
}

async function start(t: Test): Promise<Servers> {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await runOn(database.url, ...tables)
  const open = (asSent: boolean): Promise<RowServer> =>
    startRowServer(t, { url: database.url, asSent, models, migrates: false, compat: true })
  const [quick, reading] = [await open(true), await open(false)]
  await ask(quick, 'Items')
  return { url: database.url, quick, reading }
}

async function fill({ reading }: Servers): Promise<void> {
  const { Item, Part, Stop } = classesOf(reading)
  const size = { width: 1.5, 'a "b"': [null, { deep: 'ü\n' }], text: '1, 2: 3' }
  for (let at = 0; at < 4; at++) {
    const texts = { tags: ['a, b', `t${at}`], size, any: [{ at }], short: [at], raw: size, secret: size, note: { at } }
    const rest = {
      at: new Date(Date.UTC(2026, at * 3, 8, 2, 30, 0, 5)),
      day: new Date('2026-03-08'),
      ratio: 0.1,
      partIds: [2, 1]
    }
    const { id } = (await Item?.create({ label: `i${at}`, ...texts, ...rest })) ?? {}
    await Part?.create({ name: `p${at}`, itemId: id, specs: { at }, hint: { h: 1 } })
    const { partIds: _ofItem, ...times } = rest
    await Stop?.create({ ...times, secret: size, nextId: (at % 3) + 1 })
  }
}

const filters: readonly object[] = [
  {},
  { include: 'parts' },
  { include: ['parts', 'listed'], order: 'label DESC', limit: 2, skip: 1 },
  { include: { relation: 'listed', scope: { include: 'item' } } },
  { fields: ['tags', 'at'] }
]

/** What each case does on tables of its own. */
const cases: Readonly<Record<string, (t: Test, servers: Servers) => Promise<void>>> = {
  'times without a zone, lists and objects are the same text, by statements without regular expressions': async (
    t,
    servers
  ) => {
    const { quick, reading } = servers
    await fill(servers)
    const stops = ['next', 'before', ['before', 'next']].map((include) =>
      listOf('Stops', { include, order: 'id DESC', skip: 1 })
    )
    const nested = listOf('Parts', { include: 'item' })
    for (const path of [...stops, ...filters.map((filter) => listOf('Items', filter)), nested, 'Items/1', 'Parts/1']) {
      const [expected, answer] = [await ask(reading, path), await ask(quick, path)]
      t.same(answer, expected, path)
      t.notMatch(answer.body, /secret|hint/)
      t.same(
        quick.statements.filter((text) => / ~ /.test(text)),
        [],
        path
      )
    }
    t.notMatch((await ask(quick, nested)).body, /"note"/)
  },
  'a broken text is answered as it is read': async (t, { url, quick, reading }) => {
    await fill({ url, quick, reading })
    for (const text of [
      '{"a":1',
      '[1,,2]',
      '{"a":[1}]',
      'no JSON',
      '',
      '"text"',
      '"[1]"',
      '{"a":1,"a":2}',
      '["\\u0000"]',
      '{"\\ud800":1}'
    ]) {
      await runOn(url, `update item set tags = '${text}', size = '${text}', "any" = '${text}' where id = 1`)
      for (const name of ['tags', 'size', 'any']) {
        const path = listOf('Items', { where: { id: 1 }, fields: [name, 'id'], include: 'parts' })
        const [expected, answer] = [await ask(reading, path), await ask(quick, path)]
        t.same([expected.statusCode, answer.statusCode, answer.body], [200, 200, expected.body], `${name}: ${text}`)
      }
    }
  },
  'times that JavaScript writes in another way are the same text': async (t, servers) => {
    const { url, quick, reading } = servers
    await fill(servers)
    const path = listOf('Stops', { where: { id: 4 }, include: 'before' })
    for (const time of ['infinity', '0044-03-15 BC', '2026-03-08 02:30:00.9999', '0099-01-01', '12026-01-31']) {
      await runOn(url, `update stop set at = '${time}' where id = 4`)
      t.equal((await ask(quick, path)).body, (await ask(reading, path)).body, time)
    }
  },
  'included records have undeclared properties from the moment their table has a column for them': async (
    t,
    servers
  ) => {
    const { quick, reading, url } = servers
    await fill(servers)
    const path = listOf('Stops', { include: 'before' })
    t.equal((await ask(quick, path)).statusCode, 200)
    for (const { app } of [quick, reading]) {
      const types = [app.models.typeOf('Stop')]
      await types[0]?.dataSource?.connector.migrate?.(types, { empty: false })
    }
    await runOn(url, `update stop set _undeclared = '{"color":"red"}' where id = 2`)
    const expected = await ask(reading, path)
    t.match(expected.body, '"color":"red"')
    t.equal((await ask(quick, path)).body, expected.body)
  }
}

for (const [name, run] of Object.entries(cases)) void t.test(name, async (t) => run(t, await start(t)))

const text = fc.oneof(
  fc.json({ maxDepth: 2 }),
  fc.json({ maxDepth: 1 }).map((json) => json.slice(1)),
  fc.constantFrom('', ' []', '{"b":1,"a":{"1":2,"0":3}}', '[1e5]', '[-0]', '"{\\"a\\":1}"', '[1.0]', 'null', '7')
)

void t.test('any texts are answered as they are read', async (t) => {
  const { url, quick, reading } = await start(t)
  const row = fc.tuple(text, text, text)
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 3 }), async (rows) => {
      const quote = (value: string): string => `'${value.replaceAll('\0', '').toWellFormed().replaceAll("'", "''")}'`
      const values = rows.map((parts) => `(${parts.map(quote).join(', ')})`).join(', ')
      await runOn(
        url,
        'truncate item',
        `insert into item (tags, size, any_of) values ${values}`.replace('any_of', '"any"')
      )
      for (const fields of [
        ['tags', 'id'],
        ['size', 'id'],
        ['any', 'id']
      ]) {
        const path = listOf('Items', { fields, order: 'id', include: 'parts' })
        const [expected, answer] = [await ask(reading, path), await ask(quick, path)]
        t.same([answer.statusCode, answer.body], [200, expected.body], values)
      }
    }),
    { numRuns: 25 }
  )
})
