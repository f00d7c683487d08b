import {
  batchTests,
  conditionalTests,
  idempotencyTests,
  listTests,
  sharedRowsTests,
  wireTests
} from '@modelwire/connector-tests'
import t from 'tap'
import { memory } from '#src/memory.ts'

void t.test('odd numbers and texts of clients are answered or refused', async (t) => wireTests(t, memory()))

void t.test('conditional requests', async (t) => conditionalTests(t, memory()))

void t.test('pages of lists', async (t) => listTests(t, memory()))

void t.test('requests with a key', async (t) => idempotencyTests(t, memory()))

void t.test('batches of requests', async (t) => batchTests(t, memory({ transactions: true })))

void t.test('what several servers share', async (t) => sharedRowsTests(t, [memory()], false))
