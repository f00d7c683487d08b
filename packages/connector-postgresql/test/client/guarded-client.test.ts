import { createServer, type AddressInfo } from 'node:net'
import { postgresql } from '@modelwire/connector-postgresql'
import { ModelRegistry } from '@modelwire/core'
import type { Collection } from '@modelwire/core/connector'
import t, { type Test } from 'tap'
import { oneRow, startFakeServer, unreadable } from '../fixtures/fake-server.ts'

/** The records of a model with a number as its only property. */
async function open(t: Test, url: string): Promise<Collection> {
  const registry = new ModelRegistry()
  registry.addDataSource('db', postgresql({ url, statementTimeout: 0, lazyConnect: true }))
  registry.define({ name: 'Note', strict: true, properties: { one: { type: 'number', id: true } } })
  registry.attach('Note', 'db')
  t.teardown(() => registry.disconnect())
  await registry.connect()
  const { collection } = registry.typeOf('Note')
  if (collection === undefined) throw new Error('it is attached')
  return collection
}

void t.test('what cannot be read ends the connection and not the process: it is asked for once more', async (t) => {
  const url = await startFakeServer(t, (connection) => (connection === 0 ? unreadable : oneRow('7')))
  const notes = await open(t, url)
  t.same(await notes.find({ order: [], skip: 0 }), [{ one: 7 }])
})

void t.test('lookups behind one that cannot be read are asked for elsewhere', async (t) => {
  const rows = (statements: number) => Buffer.concat(Array.from({ length: statements }, () => oneRow('7')))
  const url = await startFakeServer(t, (connection, statements) => (connection === 0 ? unreadable : rows(statements)))
  const notes = await open(t, url)
  const found = await Promise.all([7, 7, 7].map(async (id) => notes.findById(id)))
  t.same(found, [{ one: 7 }, { one: 7 }, { one: 7 }])
})

void t.test('a row that does not end is refused while it comes', async (t) => {
  const megabyte = 1024 * 1024
  // The length that the message begins with says that a hundred times as much will come.
  const endless = Buffer.concat([oneRow('7').subarray(0, 10), Buffer.from('D\x40\0\0\0\0\x01\x3f\0\0\0', 'latin1')])
  const beginning = Buffer.concat([endless, Buffer.alloc(3 * megabyte, 'x')])
  const url = await startFakeServer(t, (connection) => (connection === 0 ? beginning : oneRow('7')))
  const notes = await open(t, url)
  const options = { rows: 'most.rows', bytes: 'most.bytes' }
  const atMost = { rows: 10, bytes: 2 * megabyte, options }
  const find = async (): Promise<unknown> => notes.find({ order: [], skip: 0, atMost })
  await t.rejects(find, { code: 'ANSWER_TOO_LARGE', exceeded: 'bytes' })
  t.same(await find(), [{ one: 7 }])
})

void t.test('a server that speaks something else is a 503', async (t) => {
  const server = createServer((socket) => socket.end(unreadable))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  const connector = postgresql({ url: `postgres://postgres@127.0.0.1:${port}/nothing` })
  t.teardown(() => connector.disconnect())
  await t.rejects(connector.connect(), { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 })
})
