import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlite } from '@modelwire/connector-sqlite'
import { sqlSchemaTests } from '@modelwire/connector-tests'
import t from 'tap'

void t.test('the SQLite connector passes the suite of tables', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-sqlite-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  await sqlSchemaTests(t, {
    name: 'sqlite',
    mappingKey: 'sqlite3',
    upsert: { patch: 1, insert: 2 },
    makesChecks: false,
    create: (settings) => sqlite({ file: join(folder, 'test.db'), ...settings })
  })
})
