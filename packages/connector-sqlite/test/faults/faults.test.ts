import { sqlite } from '@modelwire/connector-sqlite'
import { SqlConnector } from '@modelwire/connector-sql'
import { checkConstraints, constrainedTable, serveEntries } from '@modelwire/connector-tests'
import type { Connector } from '@modelwire/core/connector'
import type { FastifyInstance } from 'fastify'
import LibSql from 'libsql'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { sqliteDialect } from '#src/sqlite-dialect.ts'
import { createPool } from '#src/sqlite-pool.ts'
import { temporaryFile } from '../fixtures/temporary-file.ts'

async function serve(t: Test, connector: Connector): Promise<FastifyInstance> {
  const { app } = await serveEntries(connector)
  t.teardown(() => app.close())
  return app
}

const post = async (app: FastifyInstance, payload: object) =>
  app.inject({ method: 'POST', url: '/api/entries', payload })

/** Another process that writes, as far as SQLite can tell. */
function lock(t: Test, file: string): () => void {
  const other = new LibSql(file)
  t.teardown(() => other.close())
  other.exec('begin immediate')
  return () => other.exec('commit')
}

void t.test('while another process writes, writes wait for it and reads are served', async (t) => {
  const file = temporaryFile(t)
  const app = await serve(t, sqlite({ file }))
  await post(app, { id: 'a', serial: 1 })
  const unlock = lock(t, file)
  const begin = performance.now()
  const waiting = post(app, { id: 'b', serial: 2 })
  for (let reads = 0; reads < 20; reads++) t.match((await app.inject('/api/entries/a')).json(), { serial: 1 })
  t.ok(performance.now() - begin < 1000, 'the process is not held up while the write waits')
  unlock()
  t.equal((await waiting).statusCode, 200)
})

void t.test('a write that waits for another process too long is a 503, and the next one is served', async (t) => {
  const file = temporaryFile(t)
  const app = await serve(t, sqlite({ file, busyTimeout: 100 }))
  const unlock = lock(t, file)
  t.match((await post(app, { id: 'a', serial: 1 })).json(), { error: { statusCode: 503, code: 'STATEMENT_TIMEOUT' } })
  const { modelClass } = app.models.typeOf('FaultEntry')
  await t.rejects(
    app.models.transaction(() => modelClass.create({ id: 'a', serial: 1 })),
    { code: 'STATEMENT_TIMEOUT' }
  )
  unlock()
  // What failed leaves nothing behind that would hold up somebody else's commit.
  await app.models.transaction(() => modelClass.destroyAll())
  t.equal((await post(app, { id: 'a', serial: 1 })).statusCode, 200)
})

void t.test(
  'while a transaction is open, reads see what is committed and writes wait for a limited time',
  async (t) => {
    const app = await serve(t, sqlite({ file: temporaryFile(t), connectTimeout: 100 }))
    const { modelClass } = app.models.typeOf('FaultEntry')
    const ends: (() => void)[] = []
    const open = app.models.transaction(async () => {
      await modelClass.create({ id: 'a', serial: 1 })
      t.equal(await modelClass.count(), 1, 'the transaction sees what it wrote')
      await new Promise<void>((resolve) => ends.push(resolve))
    })
    await until(() => ends.length > 0, 'the transaction to write')
    t.match((await app.inject('/api/entries/count')).json(), { count: 0 })
    const refused = await Promise.all([post(app, { id: 'b', serial: 2 }), post(app, { id: 'c', serial: 3 })])
    const unavailable = { statusCode: 503, code: 'DATA_SOURCE_UNAVAILABLE' }
    for (const answer of refused) t.match(answer.json(), { error: unavailable })
    ends[0]?.()
    await open
    t.equal((await post(app, { id: 'b', serial: 2 })).statusCode, 200)
    t.match((await app.inject('/api/entries/count')).json(), { count: 2 })
  }
)

/** A connector whose file may not grow beyond some pages, as on a disk that is full. */
function smallDisk(file: string): Connector {
  const openWriter = (): LibSql.Database => {
    const opened = new LibSql(file)
    opened.exec('pragma journal_mode = wal')
    opened.exec('pragma max_page_count = 20')
    return opened
  }
  const openReader = (): LibSql.Database => new LibSql(file)
  const open = () => createPool({ openWriter, openReader, busyTimeout: 1000, connectTimeout: 1000 })
  return new SqlConnector({ dialect: sqliteDialect, resultOf: () => undefined, open, schema: undefined }, {})
}

void t.test('a disk that is full is told, what was written stays, and a smaller write is stored', async (t) => {
  const app = await serve(t, smallDisk(temporaryFile(t)))
  const { modelClass } = app.models.typeOf('FaultEntry')
  await post(app, { id: 'first', serial: 1 })
  const twin = 'x'.repeat(90_000)
  const full = { statusCode: 507, code: 'DATABASE_FULL' }
  t.match((await post(app, { id: 'big', serial: 2, twin })).json(), { error: full })
  const transaction = app.models.transaction(async () => {
    await modelClass.create({ id: 'small', serial: 3 })
    await modelClass.create({ id: 'big', serial: 4, twin })
  })
  await t.rejects(transaction, full)
  t.equal((await post(app, { id: 'last', serial: 5 })).statusCode, 200)
  const found = await app.inject('/api/entries?filter[fields]=id&filter[order]=id')
  t.same(found.json(), [{ id: 'first' }, { id: 'last' }])
})

void t.test('a file that cannot be opened, or is none of SQLite, is a 503 at the start', async (t) => {
  const unavailable = { statusCode: 503, code: 'DATA_SOURCE_UNAVAILABLE' }
  await t.rejects(sqlite({ file: '/no/such/folder/test.db' }).connect(), unavailable)
  await t.rejects(sqlite({ file: import.meta.filename }).connect(), unavailable)
})

void t.test("the database's own rules are told as 4xx with codes", async (t) => {
  const file = temporaryFile(t)
  const other = new LibSql(file)
  other.exec(constrainedTable)
  other.close()
  // SQLite does not mind how long a text is.
  await checkConstraints(t, await serve(t, sqlite({ file })), '')
})
