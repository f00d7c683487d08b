import { ModelRegistry } from '@modelwire/core'
import type { Collection } from '@modelwire/core/connector'
import { until } from '@modelwire/test-waits'
import type { Test } from 'tap'
import type { SqlTestsOptions } from './sql-case.ts'

/** How a test looks at the server behind the connector. */
export interface ServerView {
  /** Makes a view of the name with a number `id`, whose reading takes ten seconds. */
  readonly makeSlow: (name: string) => Promise<void>
  /** How many statements run that read this view. */
  readonly countBusy: (name: string) => Promise<number>
}

const everything = { order: [], skip: 0 }

/** The slow records, over at most two connections. */
async function open(
  t: Test,
  { create }: SqlTestsOptions,
  name: string
): Promise<{ slow: Collection; registry: ModelRegistry }> {
  const registry = new ModelRegistry()
  registry.addDataSource('db', create({ max: 2, connectionLimit: 2 }))
  registry.define({ name, strict: true, properties: { id: { type: 'number', id: true } } })
  registry.attach(name, 'db')
  t.teardown(() => registry.disconnect())
  const { collection } = registry.typeOf(name)
  if (collection === undefined) throw new Error('it is attached')
  return { slow: collection, registry }
}

/** Reads whose callers have left: one test, for servers that work in the background. */
export async function abortTests(t: Test, options: SqlTestsOptions, server: ServerView): Promise<void> {
  await server.makeSlow('slow')
  const { slow, registry } = await open(t, options, 'slow')
  const cancelled = { code: 'STATEMENT_CANCELLED' }

  await t.test('a read whose client left ends in the server, too, and gives its connection back', async (t) => {
    const leaving = new AbortController()
    const reads = [1, 2, 3, 4].map(async (each) =>
      each % 2 === 0 ? slow.count(undefined, leaving) : slow.find(everything, leaving)
    )
    const ends = Promise.all(reads.map(async (read) => t.rejects(read, cancelled)))
    await until(async () => (await server.countBusy('slow')) === 2, '2 reads to run')
    leaving.abort()
    await ends
    await until(async () => (await server.countBusy('slow')) === 0, '0 reads to run')
    await registry.dataSources.get('db')?.connector.ping()
  })

  const byKeys = { keys: [1], property: 'id', filter: everything }
  const single: Readonly<Record<string, (signal: AbortSignal) => unknown>> = {
    'a read by id': (signal) => slow.findById(1, { signal }),
    'a read of related records': (signal) => slow.findRelated?.(byKeys, { signal })
  }
  for (const [what, read] of Object.entries(single))
    await t.test(`${what} ends with its client, too`, async (t) => {
      const leaving = new AbortController()
      const end = t.rejects(async () => read(leaving.signal), cancelled)
      await until(async () => (await server.countBusy('slow')) === 1, '1 reads to run')
      leaving.abort()
      await end
      await until(async () => (await server.countBusy('slow')) === 0, '0 reads to run')
    })

  await t.test('a read whose client has left already asks the server nothing', async (t) => {
    await t.rejects(async () => slow.find(everything, { signal: AbortSignal.abort() }), cancelled)
    t.equal(await server.countBusy('slow'), 0)
  })
}
