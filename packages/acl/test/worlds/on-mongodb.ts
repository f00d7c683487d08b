import { mongodb } from '@modelwire/connector-mongodb'
import { createTestDatabase, type TestDatabase } from '@modelwire/connector-tests/mongodb'
import type { Connector } from '@modelwire/core/connector'
import type { Test } from 'tap'

/** Makes what gives connectors to two databases in turn, each of them empty then; these go with the test. */
export async function onMongodb(t: Test): Promise<() => Promise<Connector>> {
  const databases: TestDatabase[] = []
  t.teardown(async () => {
    for (const database of databases) await database.drop()
  })
  let turn = 0
  return async () => {
    const place = turn++ % 2
    const database = databases[place] ?? (await createTestDatabase())
    databases[place] = database
    await database.client.db().dropDatabase()
    return mongodb({ url: database.url })
  }
}
