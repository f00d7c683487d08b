import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import { ModelRegistry } from '@modelwire/core'
import type { Collection, Filter } from '@modelwire/core/connector'
import t, { type Test } from 'tap'
import { postgresql } from '#src/postgresql.ts'

const rows = 60

const everything: Filter = { order: [], skip: 0 }

/** Rows of a quarter of a megabyte each, over two connections. */
async function open(t: Test): Promise<Collection> {
  const { url, drop } = await createTestDatabase()
  const registry = new ModelRegistry()
  registry.addDataSource('db', postgresql({ url, max: 2, cancelAfter: 0 }))
  t.teardown(async () => {
    await registry.disconnect()
    await drop()
  })
  registry.define({ name: 'Page', properties: { id: { type: 'number', id: true }, text: 'string' } })
  registry.attach('Page', 'db')
  await runOn(
    url,
    'create table page (id int primary key, text text)',
    `insert into page select n, repeat(md5(n::text), 8192) from generate_series(1, ${rows}) n`
  )
  const { collection } = registry.typeOf('Page')
  if (collection?.findInParts === undefined) throw new Error('it reads in parts')
  return collection
}

void t.test('large rows come in small parts', async (t) => {
  const collection = await open(t)
  const ids: unknown[] = []
  for await (const part of (await collection.findInParts?.(everything)) ?? []) {
    t.ok(part.length <= 2, `${part.length} rows`)
    for (const { id, text } of part) ids.push(String(text).length === 32 * 8192 ? id : 'cut')
  }
  t.strictSame(
    ids,
    Array.from({ length: rows }, (_, at) => at + 1)
  )
})

void t.test('reads of large rows that are left, or fail, give their connection back', async (t) => {
  const collection = await open(t)
  for (let round = 0; round < 20; round++) {
    const parts = (await collection.findInParts?.(everything))?.[Symbol.asyncIterator]()
    for (let read = 0; read <= round % 5; read++) t.equal((await parts?.next())?.done, false)
    await parts?.return?.()
  }
  const options = { rows: 'most.rows', bytes: 'most.bytes' }
  const tooMany = async (): Promise<void> => {
    const atMost = { rows: 1000, bytes: 4 * 1024 * 1024, options }
    for await (const part of (await collection.findInParts?.({ ...everything, atMost })) ?? []) t.ok(part.length > 0)
  }
  for (let round = 0; round < 3; round++) await t.rejects(tooMany(), { code: 'ANSWER_TOO_LARGE', exceeded: 'bytes' })
  const leaving = new AbortController()
  const left = async (): Promise<void> => {
    const parts = await collection.findInParts?.(everything, { signal: leaving.signal })
    for await (const part of parts ?? []) {
      t.ok(part.length > 0)
      leaving.abort()
    }
  }
  await Promise.allSettled([left()])
  t.same(await Promise.all([1, 2, 3, 4].map(async () => collection.count(undefined))), [rows, rows, rows, rows])
  t.equal((await collection.find(everything)).length, rows)
})
