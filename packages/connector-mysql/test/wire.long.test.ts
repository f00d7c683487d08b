import { mysql } from '@modelwire/connector-mysql'
import {
  batchTests,
  conditionalTests,
  idempotencyTests,
  listTests,
  sharedRowsTests,
  wireTests
} from '@modelwire/connector-tests'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'
import t from 'tap'

const options = { skip: await whyNoServer(), timeout: 120_000 }

void t.test('odd numbers and texts of clients are answered or refused', options, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await wireTests(t, mysql({ url: database.url, connectionLimit: 2 }))
})

void t.test('conditional requests', options, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await conditionalTests(t, mysql({ url: database.url, connectionLimit: 4 }))
})

void t.test('pages of lists', options, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await listTests(t, mysql({ url: database.url, connectionLimit: 4 }))
})

void t.test('requests with a key', options, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await idempotencyTests(t, mysql({ url: database.url, connectionLimit: 4 }))
})

void t.test('batches of requests', options, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await batchTests(t, mysql({ url: database.url, connectionLimit: 4 }))
})

void t.test('what several servers share', options, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const connectors = [1, 2, 3].map(() => mysql({ url: database.url, connectionLimit: 3 }))
  await sharedRowsTests(t, connectors)
})
