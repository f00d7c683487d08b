import { startOwnServer } from '@modelwire/connector-tests/mongodb'
import { ModelRegistry } from '@modelwire/core'
import type { Collection } from '@modelwire/core/connector'
import { until } from '@modelwire/test-waits'
import t from 'tap'
import { mongodb } from '#src/mongodb.ts'
import { openModels } from '../open-models.ts'

const number = { kind: 'number' } as const
const one = { kind: 'test', path: ['n'], type: number, test: 'equals', value: 1 } as const
const everything = { order: [], skip: 0 }

type Read = (collection: Collection, options: { signal: AbortSignal }) => unknown

/** Reads, and the commands that they are. */
const reads: Readonly<Record<string, readonly [command: string, read: Read]>> = {
  'a read of a list': ['find', (each, options) => each.find(everything, options)],
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

for (const [name, [command, read]] of Object.entries(reads))
  void t.test(`${name} ends with its client, and gives its connection back`, async (t) => {
    const server = await startOwnServer()
    const registry = new ModelRegistry()
    registry.define({ name: 'Item', properties: { id: { type: 'string', id: true }, n: 'number' } })
    const connector = mongodb({ url: `${server.url}/aborted`, max: 1 })
    t.teardown(async () => {
      await connector.disconnect()
      await server.stop()
    })
    registry.addDataSource('db', connector)
    registry.attach('Item', 'db')
    await connector.connect()
    const { collection } = registry.typeOf('Item')
    if (collection === undefined) throw new Error('Item is not attached')
    const cancelled = { code: 'STATEMENT_CANCELLED', statusCode: 499 }
    await t.rejects(async () => read(collection, { signal: AbortSignal.abort() }), cancelled)
    t.equal(server.commands.length, 0, 'a client who has left already is asked nothing for')
    server.failNext(command, 'wait')
    const leaving = new AbortController()
    const end = t.rejects(async () => read(collection, leaving), cancelled)
    await until(() => server.commands.length > 0, 'the read to reach the server')
    leaving.abort()
    await end
    await connector.ping?.()
  })

void t.test('a read by id, which is short by its nature, does not end with its client', async (t) => {
  const { collection } = await openModels(t, [{ name: 'Item', properties: { n: 'number' } }])
  const [row] = (await collection('Item').insert([{ n: 1 }])) ?? []
  t.match(await collection('Item').findById(String(row?.['id']), { signal: AbortSignal.abort() }), { n: 1 })
})
