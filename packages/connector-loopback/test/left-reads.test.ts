import { filterOf } from '@modelwire/connector-tests'
import { ModelRegistry } from '@modelwire/core'
import type { Collection } from '@modelwire/core/connector'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { loopback } from '#src/loopback.ts'

type Callback = (error: unknown, result: unknown) => void

async function open(t: Test, driver: object): Promise<Collection> {
  const connector = loopback({
    initialize: (dataSource: object, callback: () => void) => {
      Object.assign(dataSource, { connector: driver })
      callback()
    }
  })
  const registry = new ModelRegistry()
  registry.addDataSource('db', connector)
  registry.define({ name: 'Item', properties: { id: { type: 'number', id: true } } })
  registry.attach('Item', 'db')
  await connector.connect()
  t.teardown(() => connector.disconnect())
  const { collection } = registry.typeOf('Item')
  if (collection === undefined) throw new Error('Item is not attached')
  return collection
}

void t.test('a read whose client leaves is given up, and nothing is made of what the connector gives', async (t) => {
  const answers: Callback[] = []
  let read = 0
  const row = {
    get id() {
      read++
      return 1
    }
  }
  const ask = (_model: string, _filter: object, _options: object, callback: Callback): void =>
    void answers.push(callback)
  const collection = await open(t, { name: 'slow', all: ask, count: ask })
  const cancelled = { code: 'STATEMENT_CANCELLED', statusCode: 499 }

  const leaving = new AbortController()
  const ends = [
    t.rejects(async () => collection.find(filterOf({}), leaving), cancelled),
    t.rejects(async () => collection.findById(1, leaving), cancelled),
    t.rejects(async () => collection.count(undefined, leaving), cancelled)
  ]
  await until(() => answers.length === 3, 'three calls of the connector')
  leaving.abort()
  await Promise.all(ends)
  for (const answer of answers.splice(0)) answer(null, [row])
  await t.rejects(async () => collection.find(filterOf({}), leaving), cancelled)
  t.strictSame([answers.length, read], [0, 0])

  const staying = collection.find(filterOf({}), new AbortController())
  await until(() => answers.length === 1, 'a call of the connector')
  answers[0]?.(null, [{ id: 1 }])
  t.match(await staying, [{ id: 1 }])
})
