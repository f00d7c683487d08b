import { sqlite } from '@modelwire/connector-sqlite'
import { batchTests, conditionalTests, idempotencyTests, listTests, wireTests } from '@modelwire/connector-tests'
import t from 'tap'

void t.test('odd numbers and texts of clients are answered or refused', async (t) => wireTests(t, sqlite()))

void t.test('conditional requests', async (t) => conditionalTests(t, sqlite()))

void t.test('pages of lists', async (t) => listTests(t, sqlite()))

void t.test('requests with a key', async (t) => idempotencyTests(t, sqlite()))

void t.test('batches of requests', async (t) => batchTests(t, sqlite()))
