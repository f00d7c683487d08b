import { ApiError, migrate, type ModelDefinition, planMigration } from '@modelwire/core'
import type { Row } from '@modelwire/core/connector'
import { until } from '@modelwire/test-waits'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { type Database, databases } from './databases.ts'
import { openApp } from './open-app.ts'

const model = (properties: Record<string, string>, more: object = {}): ModelDefinition => ({
  name: 'Note',
  changeLog: true,
  public: true,
  strict: true,
  properties,
  ...more
})
const first = model({ text: 'string', kind: 'string' })

async function open(
  t: Test,
  database: Database,
  definition: ModelDefinition,
  migrates = true
): Promise<FastifyInstance> {
  return openApp(t, { connector: database.connect(), models: [definition], migrates })
}

/** Creates a note in a process, and gives what another one hears of it, and how often. */
async function hear(writer: FastifyInstance, reader: FastifyInstance, data: Record<string, unknown>): Promise<Row[]> {
  const log = reader.models.changeLogs.get('db')
  await until(async () => log?.heard().catch(() => undefined), 'the log to be read')
  const heard: Row[] = []
  const stop = reader.models.changes.subscribe('Note', ({ after }) => after && heard.push(after))
  const [made, last] = [await writer.models.get('Note').create(data), await writer.models.get('Note').create({})]
  await until(() => heard.some(({ id }) => id === last['id']), 'the last note')
  stop()
  return heard.filter(({ id }) => id === made['id'])
}

for (const { name, skip, create } of databases.filter((kind) => !kind.name.includes('MongoDB'))) {
  t.test(`${name}: what is migrated has nothing left to be done`, { skip }, async (t) => {
    const database = await create()
    t.teardown(database.drop)
    const app = await open(t, database, first)
    t.strictSame(
      (await planMigration(app.models)).flatMap(({ steps }) => steps),
      []
    )
  })

  t.test(
    `${name}: another version of a model is logged with its columns, and the former one goes on`,
    { skip },
    async (t) => {
      const database = await create()
      t.teardown(database.drop)
      const before = await open(t, database, first)
      const after = await open(t, database, model({ text: 'string', kind: 'string', pages: 'number' }))
      const late = await open(t, database, first, false)
      t.match(await hear(after, after, { text: 'a', kind: 'b', pages: 3 }), [{ text: 'a', kind: 'b', pages: 3 }])
      t.match(await hear(after, before, { text: 'a', kind: 'b', pages: 3 }), [{ text: 'a', kind: 'b' }])
      t.match(await hear(late, late, { text: 'c', kind: 'd' }), [{ text: 'c', kind: 'd' }])
    }
  )

  t.test(`${name}: renamed tables and columns are logged once, and as they are called now`, { skip }, async (t) => {
    const database = await create()
    t.teardown(database.drop)
    const before = await open(t, database, first)
    await before.close()
    const mapped = { sqlite3: { table: 'papers' }, postgresql: { table: 'papers' }, mysql: { table: 'papers' } }
    const renamed = model({ text: 'string', sort: 'string' }, { options: mapped })
    const app = await open(t, database, renamed, false)
    const own = name.startsWith('MySQL') ? 'Note' : 'note'
    await migrate(app.models, {
      renames: [
        { from: own, to: 'papers' },
        { from: 'papers.kind', to: 'sort' }
      ]
    })
    t.strictSame(
      (await planMigration(app.models)).flatMap(({ steps }) => steps),
      []
    )
    const heard = await hear(app, app, { text: 'a', sort: 'b' })
    t.match(heard, [{ text: 'a', sort: 'b' }])
    t.equal(heard.length, 1)
  })

  t.test(`${name}: what is not logged any more has no triggers`, { skip }, async (t) => {
    const database = await create()
    t.teardown(database.drop)
    await (await open(t, database, first)).close()
    const app = await open(t, database, { ...first, changeLog: false }, false)
    const kinds = async (): Promise<string[]> =>
      (await planMigration(app.models)).flatMap(({ steps }) => steps.map(({ kind }) => kind))
    t.strictSame([...new Set(await kinds())], ['dropTrigger'])
    await migrate(app.models)
    t.strictSame(await kinds(), [])
    await app.models.get('Note').create({ text: 'unheard' })
  })
}

/** Writes a note before each step of a migration: texts of those that are stored, and of those that are refused. */
async function writeMeanwhile(
  writer: FastifyInstance,
  migrateWith: (onStep: () => Promise<void>) => Promise<unknown>
): Promise<{ stored: readonly string[]; refused: readonly string[] }> {
  const [stored, refused]: [string[], string[]] = [[], []]
  const write = async (): Promise<void> => {
    const text = `note ${stored.length + refused.length}`
    try {
      await writer.models.dataSources.get('db')?.connector.execute?.(`insert into Note (text) values ('${text}')`)
      stored.push(text)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'DATABASE_SCHEMA_MISSING')) throw error
      refused.push(text)
    }
  }
  await migrateWith(write)
  await write()
  return { stored, refused }
}

for (const { title, properties, renames, refuses } of [
  { title: 'adds a column', properties: { pages: 'number' }, renames: [], refuses: false },
  {
    title: 'renames a column and adds another one',
    properties: { sort: 'string', pages: 'number' },
    renames: [{ from: 'Note.kind', to: 'sort' }],
    refuses: true
  }
])
  for (const { name, skip, create } of databases.filter((kind) => kind.name.startsWith('MySQL')))
    t.test(`${name}: nothing is stored without being logged while a migration ${title}`, { skip }, async (t) => {
      const database = await create()
      t.teardown(database.drop)
      const before = await open(t, database, first)
      const app = await open(t, database, model({ text: 'string', ...properties }), false)
      const { stored, refused } = await writeMeanwhile(before, async (onStep) =>
        migrate(app.models, { renames, onStep })
      )
      const rows = await before.models.dataSources
        .get('db')
        ?.connector.execute?.('select record from modelwire_changes')
      const logged = (rows as readonly { record: string }[]).map(({ record }): unknown => JSON.parse(record).text)
      t.ok(stored.length > 2, `stored: ${stored.join()}`)
      t.strictSame(
        stored.filter((text) => !logged.includes(text)),
        []
      )
      t.equal(refused.length > 0, refuses, `refused: ${refused.join()}`)
    })

t.test('tokens are not logged, and neither are models that nothing reads', async (t) => {
  const [sqlite] = databases
  const database = await (sqlite as (typeof databases)[0]).create() // the first kind
  t.teardown(database.drop)
  const token = { name: 'AccessToken', changeLog: true, properties: { id: { type: 'string', id: true } } }
  await t.rejects(open(t, database, token), {
    code: 'MODEL_DEFINITION_INVALID',
    where: { model: 'AccessToken', key: 'changeLog' }
  })
})
