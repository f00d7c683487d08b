import { postgresql } from '@modelwire/connector-postgresql'
import { abortTests } from '@modelwire/connector-tests'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import { ModelRegistry } from '@modelwire/core'
import type { Collection } from '@modelwire/core/connector'
import { takeTime, until } from '@modelwire/test-waits'
import t from 'tap'
import { oneRow, startFakeServer } from './fixtures/fake-server.ts'
import { lockTable } from './fixtures/lock-table.ts'

const others =
  "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'"

void t.test('reads for which nobody waits', { timeout: 120_000 }, async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  const rowsOf = async (statement: string): Promise<readonly Record<string, unknown>[]> =>
    (await runOn(url, statement))[0]?.rows ?? []
  await abortTests(
    t,
    {
      name: 'postgresql',
      mappingKey: 'postgresql',
      upsert: { patch: 1, insert: 1 },
      create: (settings) => postgresql({ url, ...settings })
    },
    {
      makeSlow: async (name) => void (await runOn(url, `create view ${name} as select 1 as id from pg_sleep(300)`)),
      run: (...statements) => runOn(url, ...statements),
      lock: (t, name) => lockTable(t, url, name),
      countBusy: async (name) =>
        (await rowsOf(`select 1 ${others} and state = 'active' and query like '%"${name}"%'`)).length,
      listConnections: async () => {
        const rows = await rowsOf(`select pid ${others} order by pid`)
        return rows.map(({ pid }) => pid)
      }
    }
  )
})

type Read = (collection: Collection, options?: { signal: AbortSignal }) => unknown

const waysToRead: Readonly<Record<string, Read>> = {
  list: (collection, options) => collection.find({ order: [], skip: 0 }, options),
  'read by id': (collection, options) => collection.findById(1, options)
}

for (const [what, read] of Object.entries(waysToRead))
  void t.test(`no ${what} is sent while a cancel request could reach it`, async (t) => {
    const [cancels, answers] = [[] as (() => void)[], [] as ((answer: Buffer) => void)[]]
    const url = await startFakeServer(t, () => new Promise((resolve) => void answers.push(resolve)), cancels)
    const registry = new ModelRegistry()
    registry.addDataSource('db', postgresql({ url, max: 1, cancelAfter: 0, statementTimeout: 0 }))
    registry.define({ name: 'One', strict: true, properties: { id: { type: 'number', id: true } } })
    registry.attach('One', 'db')
    t.teardown(() => registry.disconnect())
    const { collection } = registry.typeOf('One')
    if (collection === undefined) throw new Error('it is attached')
    const leaving = new AbortController()
    const left = t.rejects(async () => read(collection, leaving), { code: 'STATEMENT_CANCELLED' })
    await until(() => answers.length === 1, 'the read to be sent')
    leaving.abort()
    await left
    await until(() => cancels.length === 1, 'the request to cancel it')
    answers[0]?.(oneRow('1'))
    const next = read(collection)
    await takeTime(50, 'it would be sent at once')
    t.equal(answers.length, 1)
    cancels[0]?.()
    await until(() => answers.length === 2, 'the next read to be sent')
    answers[1]?.(oneRow('1'))
    t.match([await next].flat(), [{ id: 1 }])
  })
