import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'

const run = promisify(execFile)

void t.test('of processes that migrate at the same time one does everything, the others nothing', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const script = join(import.meta.dirname, 'fixtures/migrate-process.js')
  const results = await Promise.all([1, 2, 3].map(async () => run(process.execPath, [script, database.url])))
  t.same(
    results.map(({ stdout }) => Number(stdout)).toSorted((a, b) => a - b),
    [0, 0, 10]
  )
})
