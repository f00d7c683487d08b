import { startOwnServer } from '@modelwire/connector-tests/mongodb'
import { ModelRegistry } from '@modelwire/core'
import type { Collection } from '@modelwire/core/connector'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { mongodb } from '#src/mongodb.ts'
import { openModels } from '../open-models.ts'

const number = { kind: 'number' } as const
const one = { kind: 'test', path: ['n'], type: number, test: 'equals', value: 1 } as const
const everything = { order: [], skip: 0 }

type Read = (collection: Collection, options: { signal: AbortSignal }) => unknown

/** Reads, and the commands that they are. */
const reads: Readonly<Record<string, readonly [command: string, read: Read]>> = {
  'a read of a list': ['find', (each, options) => each.find(everything, options)],
  'a read of a list in parts': [
    'find',
    async (each, options) => {
      for await (const rows of (await each.findInParts?.(everything, options)) ?? []) if (rows.length === 0) break
    }
  ],
  'a count': ['aggregate', (each, options) => each.count(one, options)],
  'a read of related records': [
    'find',
    (each, options) => each.findRelated?.({ keys: [1], property: 'n', filter: everything }, options)
  ],
  'a read of lists that are cut': [
    'aggregate',
    (each, options) => each.findRelated?.({ keys: [1], property: 'n', filter: { ...everything, limit: 1 } }, options)
  ]
}

const cancelled = { code: 'STATEMENT_CANCELLED', statusCode: 499 }

/** Items on a server of their own, over one connection. */
async function open(t: Test, cancelAfter: number) {
  const server = await startOwnServer()
  const registry = new ModelRegistry()
  registry.define({ name: 'Item', properties: { id: { type: 'string', id: true }, n: 'number' } })
  const connector = mongodb({ url: `${server.url}/aborted`, max: 1, cancelAfter })
  t.teardown(async () => {
    await connector.disconnect()
    await server.stop()
  })
  registry.addDataSource('db', connector)
  registry.attach('Item', 'db')
  await connector.connect()
  server.commands.length = 0
  const { collection } = registry.typeOf('Item')
  if (collection === undefined) throw new Error('Item is not attached')
  const names = (): string[] => server.commands.map((each) => Object.keys(each)[0] ?? '')
  return { server, connector, collection, names }
}

for (const [name, [command, read]] of Object.entries(reads)) {
  void t.test(
    `${name} that runs for long is killed when its client leaves, and gives its connection back`,
    async (t) => {
      const { server, connector, collection, names } = await open(t, 50)
      await t.rejects(async () => read(collection, { signal: AbortSignal.abort() }), cancelled)
      t.equal(server.commands.length, 0, 'a client who has left already is asked nothing for')
      server.failNext(command, 'wait')
      const leaving = new AbortController()
      const end = t.rejects(async () => read(collection, leaving), cancelled)
      await until(() => server.commands.length > 0, 'the read to reach the server')
      leaving.abort()
      await end
      await connector.ping()
      const [session] = server.commands.map((each) => each['lsid'])
      const killed = server.commands.find((each) => 'killSessions' in each)
      t.same(killed?.['killSessions'], [session])
      t.same(names(), [command, 'killSessions'])
    }
  )

  void t.test(`${name} that is short runs to its end`, async (t) => {
    const { server, connector, collection, names } = await open(t, 600_000)
    await read(collection, new AbortController())
    const before = server.countConnections()
    for (let round = 0; round < 50; round++) {
      const leaving = new AbortController()
      setImmediate(() => leaving.abort())
      const [end] = await Promise.allSettled([(async () => read(collection, leaving))()])
      if (end.status === 'rejected') t.match(end.reason, cancelled)
    }
    await connector.ping()
    t.notOk(names().includes('killSessions'))
    t.equal(server.countConnections(), before, 'over the same connection')
  })
}

void t.test('a read by id, which is short by its nature, does not end with its client', async (t) => {
  const { collection } = await openModels(t, [{ name: 'Item', properties: { n: 'number' } }])
  const [row] = (await collection('Item').insert([{ n: 1 }])) ?? []
  t.match(await collection('Item').findById(String(row?.['id']), { signal: AbortSignal.abort() }), { n: 1 })
})
