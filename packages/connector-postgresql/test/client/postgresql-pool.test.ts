import { ModelRegistry } from '@modelwire/core'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import { takeTime, until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { lockTable } from '../fixtures/lock-table.ts'

const others =
  'select count(*) as open from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'

/** Two models, `First` and `Second`, with ten records each. */
async function openModels(t: Test, settings: Readonly<Record<string, unknown>> = {}) {
  const { url, drop } = await createTestDatabase()
  t.teardown(() => drop())
  const registry = new ModelRegistry()
  const connector = postgresql({ url, ...settings })
  registry.addDataSource('db', connector)
  for (const name of ['First', 'Second']) {
    registry.define({ name, properties: { id: { type: 'number', id: true }, text: 'string' } })
    registry.attach(name, 'db')
  }
  t.teardown(() => registry.disconnect())
  const [First, Second] = [registry.get('First'), registry.get('Second')]
  await connector.migrate?.([registry.typeOf('First'), registry.typeOf('Second')], { empty: true })
  const rows = Array.from({ length: 10 }, (_, at) => ({ id: at + 1, text: `text ${at + 1}` }))
  await Promise.all([First.create(rows), Second.create(rows)])
  return { url, registry, First, Second }
}

/** Resolves when so many statements wait for a lock. */
async function untilWaiting(url: string, count: number): Promise<void> {
  const waiting = `${others} and wait_event_type = 'Lock'`
  const isSo = async (): Promise<boolean> => Number((await runOn(url, waiting))[0]?.rows[0]?.open) === count
  await until(isSo, `${count} statements to wait for a lock`)
}

void t.test('many lookups at once need one connection and get their own records', async (t) => {
  const { url, registry, First, Second } = await openModels(t)
  await registry.disconnect()
  await registry.connect()
  const ids = Array.from({ length: 200 }, (_, at) => (at % 12) + 1)
  const found = await Promise.all(ids.map((id) => (id % 2 === 0 ? First : Second).findById(id)))
  t.same(
    found.map((record) => record?.['text'] ?? null),
    ids.map((id) => (id > 10 ? null : `text ${id}`))
  )
  const [counted] = await runOn(url, others)
  t.equal(Number(counted?.rows[0]?.open), 1)
})

void t.test('nobody waits behind a lookup that has to wait', async (t) => {
  const { url, First, Second } = await openModels(t, { max: 3 })
  const unlock = await lockTable(t, url, 'first')
  let isAnswered = false
  const ask = async (): Promise<unknown> => {
    const found = await First.findById(1)
    isAnswered = true
    return found
  }
  const stuck = ask()
  await takeTime(100, 'statements are queued behind one that was sent just now')
  t.match(await Second.findById(2), { text: 'text 2' })
  t.match(await Promise.all([3, 4].map((id) => Second.findById(id))), [{ text: 'text 3' }, { text: 'text 4' }])
  t.equal(isAnswered, false)
  await unlock()
  t.match(await stuck, { text: 'text 1' })
})

void t.test('lookups that share a connection end when the clients of all of them have left', async (t) => {
  const { url, registry, First } = await openModels(t, { max: 1, cancelAfter: 0 })
  const { collection } = registry.typeOf('First')
  const pids = async (): Promise<unknown> => (await runOn(url, others.replace('count(*)', 'min(pid)')))[0]?.rows
  await First.findById(1)
  const unlock = await lockTable(t, url, 'first')
  const [leaving, staying] = [new AbortController(), new AbortController()]
  const left = t.rejects(async () => collection?.findById(1, leaving), { code: 'STATEMENT_CANCELLED' })
  const waiting = collection?.findById(1, staying)
  await untilWaiting(url, 1)
  leaving.abort()
  await left
  // The one that waits behind it must not be cancelled in its place: a cancellation would come before this look at the server.
  await untilWaiting(url, 1)
  await unlock()
  t.match(await waiting, { text: 'text 1' })

  const before = await pids()
  const lockAgain = await lockTable(t, url, 'first')
  const both = new AbortController()
  const reads = [1, 2].map(async (id) =>
    t.rejects(async () => collection?.findById(id, both), { code: 'STATEMENT_CANCELLED' })
  )
  await untilWaiting(url, 1)
  both.abort()
  await Promise.all(reads)
  await untilWaiting(url, 0)
  await lockAgain()
  t.match(await First.findById(2), { text: 'text 2' })
  t.same(await pids(), before, 'their connection goes on')
})

void t.test('a lookup that fails leaves the others alone', async (t) => {
  const { url, First, Second } = await openModels(t)
  await runOn(url, 'drop table first')
  const results = await Promise.allSettled([1, 2, 3].flatMap((id) => [First.findById(id), Second.findById(id)]))
  const [failed, worked] = [0, 1].map((kind) => results.filter((_, at) => at % 2 === kind))
  for (const result of failed ?? [])
    t.match(result, { status: 'rejected', reason: { code: 'DATABASE_SCHEMA_MISSING' } })
  t.match(worked, [{ value: { text: 'text 1' } }, { value: { text: 'text 2' } }, { value: { text: 'text 3' } }])
})

void t.test('lookups go on where their statements were prepared for a table that has changed', async (t) => {
  const { url, First } = await openModels(t, { max: 2 })
  await Promise.all([1, 2, 3].map((id) => First.findById(id)))
  await runOn(url, 'alter table first alter column text type varchar(50)')
  const found = await Promise.all([1, 2, 3].map((id) => First.findById(id)))
  t.match(found, [{ text: 'text 1' }, { text: 'text 2' }, { text: 'text 3' }])
})

void t.test('lookups on a connection that breaks are asked again on another', async (t) => {
  const { url, First } = await openModels(t, { max: 2 })
  const unlock = await lockTable(t, url, 'first')
  const waiting = [1, 2, 3].map((id) => First.findById(id))
  await untilWaiting(url, 1)
  await runOn(url, `${others.replace('count(*) as open', 'pg_terminate_backend(pid)')} and wait_event_type = 'Lock'`)
  await unlock()
  t.match(await Promise.all(waiting), [{ text: 'text 1' }, { text: 'text 2' }, { text: 'text 3' }])
})

void t.test('without a server every lookup is told', async (t) => {
  const registry = new ModelRegistry()
  registry.addDataSource('db', postgresql({ url: 'postgres://postgres@127.0.0.1:1/nothing', lazyConnect: true }))
  registry.define({ name: 'First', properties: { id: { type: 'number', id: true } } })
  registry.attach('First', 'db')
  t.teardown(() => registry.disconnect())
  const results = await Promise.allSettled([1, 2, 3].map((id) => registry.get('First').findById(id)))
  for (const result of results) t.match(result, { reason: { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 } })
})
