import { postgresql } from '@modelwire/connector-postgresql'
import {
  batchTests,
  conditionalTests,
  idempotencyTests,
  listTests,
  sharedRowsTests,
  wireTests
} from '@modelwire/connector-tests'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import t from 'tap'

void t.test('odd numbers and texts of clients are answered or refused', { timeout: 120_000 }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await wireTests(t, postgresql({ url: database.url, max: 2 }))
})

void t.test('conditional requests', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await conditionalTests(t, postgresql({ url: database.url, max: 4 }))
})

void t.test('pages of lists', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await listTests(t, postgresql({ url: database.url, max: 4 }))
})

void t.test('requests with a key', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await idempotencyTests(t, postgresql({ url: database.url, max: 4 }))
})

void t.test('batches of requests', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await batchTests(t, postgresql({ url: database.url, max: 4 }))
})

void t.test('what several servers share', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const connectors = [1, 2, 3].map(() => postgresql({ url: database.url, max: 3 }))
  await sharedRowsTests(t, connectors)
})
