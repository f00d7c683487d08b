import { postgresql } from '@modelwire/connector-postgresql'
import { type FaultTestsOptions, networkTests, openPlace, postEntry } from '@modelwire/connector-tests'
import { lockTable } from '../fixtures/lock-table.ts'
import t from 'tap'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'

const options: FaultTestsOptions = {
  create: postgresql,
  limitKey: 'max',
  createDatabase: createTestDatabase,
  port: 5432,
  runOn
}

void t.test('servers of a database in trouble', { timeout: 120_000 }, async (t) => networkTests(t, options))

void t.test('a statement that waits for a lock too long is a 503, and the next one is served', async (t) => {
  const { app, directUrl } = await openPlace(t, options, { settings: { statementTimeout: 300 } })
  await postEntry(app, { id: 'a', serial: 1 })
  const unlock = await lockTable(t, directUrl, 'faultentry')
  t.match((await app.inject('/api/entries')).json(), { error: { statusCode: 503, code: 'STATEMENT_TIMEOUT' } })
  await unlock()
  t.match((await app.inject('/api/entries')).json(), [{ id: 'a' }])
})

void t.test('a query that needs more room than it may have is told', async (t) => {
  const { app, directUrl } = await openPlace(t, options)
  await runOn(
    directUrl,
    `insert into faultentry (id, serial, twin) select md5(n::text), n, md5(n::text) from generate_series(1, 30000) n`,
    `do $$ begin execute format('alter database %I set temp_file_limit = 64', current_database()); end $$`,
    `do $$ begin execute format('alter database %I set work_mem = 64', current_database()); end $$`,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  )
  const sorted = await app.inject('/api/entries?filter[order]=twin')
  t.match(sorted.json(), { error: { statusCode: 507, code: 'DATABASE_FULL' } })
  t.match((await app.inject('/api/entries/count')).json(), { count: 30_000 })
})

void t.test('statements that were prepared before their table changed are prepared anew', async (t) => {
  const { app, directUrl } = await openPlace(t, options)
  await postEntry(app, { id: 'a', serial: 1 })
  const read = async () => Promise.all(Array.from({ length: 6 }, () => app.inject('/api/entries/a')))
  await read()
  await runOn(directUrl, 'alter table faultentry alter column worker type numeric')
  for (const answer of await read()) t.match(answer.json(), { serial: 1 })
})

void t.test('a transaction whose work passes over a failed statement is not taken for a success', async (t) => {
  const { app } = await openPlace(t, options)
  const { modelClass } = app.models.typeOf('FaultEntry')
  const careless = app.models.transaction(async () => {
    await modelClass.create({ id: 'a', serial: 1 })
    await app.models.dataSources
      .get('db')
      ?.connector.execute?.('select 1 / 0')
      .catch(() => {})
  })
  await t.rejects(careless, { code: 'TRANSACTION_ABORTED', statusCode: 500 })
  t.equal(await modelClass.count(), 0)
})
