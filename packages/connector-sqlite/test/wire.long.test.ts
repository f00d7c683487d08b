import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlite } from '@modelwire/connector-sqlite'
import {
  batchTests,
  conditionalTests,
  idempotencyTests,
  listTests,
  sharedRowsTests,
  wireTests
} from '@modelwire/connector-tests'
import t from 'tap'

void t.test('odd numbers and texts of clients are answered or refused', async (t) => wireTests(t, sqlite()))

void t.test('conditional requests', async (t) => conditionalTests(t, sqlite()))

void t.test('pages of lists', async (t) => listTests(t, sqlite()))

void t.test('requests with a key', async (t) => idempotencyTests(t, sqlite()))

void t.test('batches of requests', async (t) => batchTests(t, sqlite()))

void t.test('what several servers share', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-sqlite-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'shared.db')
  await sharedRowsTests(
    t,
    [1, 2, 3].map(() => sqlite({ file })),
    false
  )
})
