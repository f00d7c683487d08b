import { conditionsOn } from '@modelwire/connector-tests'
import { startOwnServer } from '@modelwire/connector-tests/mongodb'
import { ModelRegistry } from '@modelwire/core'
import t from 'tap'
import { mongodb } from '#src/mongodb.ts'

void t.test('lists are cut per parent without windows, which MongoDB has since version 5', async (t) => {
  const server = await startOwnServer({ wireVersion: 9 })
  const registry = new ModelRegistry()
  registry.define({ name: 'Book', properties: { authorId: 'number', year: 'number' } })
  const connector = mongodb({ url: `${server.url}/older` })
  t.teardown(async () => {
    await connector.disconnect()
    await server.stop()
  })
  registry.addDataSource('db', connector)
  registry.attach('Book', 'db')
  await connector.connect()
  const Book = registry.typeOf('Book')
  await Book.collection?.insert(Array.from({ length: 40 }, (_, at) => ({ authorId: at % 4, year: 2000 + at })))
  const { order } = conditionsOn(Book)
  const find = async (filter: object) => {
    const query = { keys: [3, 99, 0], property: 'authorId', filter: { order: order('-year'), skip: 0, ...filter } }
    return (await Book.collection?.findRelated?.(query))?.map((list) => list.map(({ year }) => year))
  }
  t.same(await find({ limit: 2 }), [[2039, 2035], [], [2036, 2032]])
  t.same(await find({ limit: 1, skip: 9 }), [[2003], [], [2000]])
  t.same(await find({ skip: 8 }), [[2007, 2003], [], [2004, 2000]])
  t.match(server.commands.at(-1), { pipeline: [{ $match: {} }, { $sort: {} }, { $group: {} }] })
})

void t.test('a server that is too old for the driver stops the start, and it is said why', async (t) => {
  const server = await startOwnServer({ wireVersion: 8 })
  const connector = mongodb({ url: `${server.url}/old`, connectTimeout: 300 })
  t.teardown(async () => {
    await connector.disconnect()
    await server.stop()
  })
  await t.rejects(connector.connect(), { code: 'DATA_SOURCE_UNAVAILABLE', message: /older than MongoDB 4\.4/ })
})
