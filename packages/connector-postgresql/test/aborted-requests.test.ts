import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import { until } from '@modelwire/test-waits'
import t from 'tap'
import { startRowServer } from './fixtures/row-servers.ts'

const id = { type: 'number', id: true }
const models = [
  { name: 'Slow', public: true, strict: true, properties: { id, ownerId: 'number' } },
  {
    name: 'Owner',
    public: true,
    strict: true,
    properties: { id },
    relations: { slows: { type: 'hasMany', model: 'Slow', foreignKey: 'ownerId' } }
  }
]
const paths = [
  'Slows',
  'Slows/1',
  'Slows/count',
  'Owners?filter[include]=slows',
  'Owners/1/slows',
  'Owners/1/slows/count'
]
const busy = `select 1 from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and query like '%"slow"%'`

void t.test('a client that leaves takes his reads with him', async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  await runOn(url, 'create view slow as select 1 as id, 1 as ownerid from pg_sleep(300)')
  await runOn(url, 'create view owner as select 1 as id')
  const { app } = await startRowServer(t, { url, models, migrates: false, settings: { cancelAfter: 100 } })
  const untilBusy = async (count: number): Promise<void> => {
    await until(async () => (await runOn(url, busy))[0]?.rows.length === count, `${count} statements to run`)
  }
  for (const path of paths) {
    const leaving = new AbortController()
    const gone = t.rejects(app.inject({ url: `/api/${path}`, signal: leaving.signal }), path)
    await untilBusy(1)
    leaving.abort()
    await gone
    await untilBusy(0)
  }
  await app.models.dataSources.get('db')?.connector.ping()
})
