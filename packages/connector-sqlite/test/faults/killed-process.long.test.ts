import { join } from 'node:path'
import { sqlite } from '@modelwire/connector-sqlite'
import { checkKilled } from '@modelwire/connector-tests'
import t from 'tap'
import { temporaryFile } from '../fixtures/temporary-file.ts'

const file = join(import.meta.dirname, '../fixtures/serve.js')

void t.test('a process that is killed under load has stored what it acknowledged', async (t) => {
  await checkKilled(t, file, sqlite, { file: temporaryFile(t) })
})
