import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Examination, Finding } from '#src/check/index.ts'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import t, { type Test } from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { makeFolder, noteApp } from '../make-folder.ts'

/** An application whose data source is this one, and the connector installed beside it. */
function makeApp(t: Test, connector: string, settings: object): string {
  const dir = makeFolder(t, {
    ...noteApp,
    'server/datasources.json': { db: { connector, ...settings } },
    'common/models/note.json': {
      name: 'Note',
      base: 'PersistedModel',
      properties: {
        id: { type: 'number', id: true },
        text: { type: 'string', mysql: { columnName: 'note_text' } },
        code: 'string',
        pages: 'number'
      }
    }
  })
  const modules = join(dir, 'node_modules/@modelwire')
  mkdirSync(modules, { recursive: true })
  const installed = fileURLToPath(new URL(`../../../connector-${connector}`, import.meta.url))
  symlinkSync(installed, join(modules, `connector-${connector}`))
  return dir
}

async function check(dir: string, ...options: string[]): Promise<{ findings: readonly Finding[]; status: number }> {
  const terminal = fakeTerminal()
  const status = await run(['check', dir, '--json', ...options], terminal)
  return { findings: (JSON.parse(terminal.outText()) as Examination).findings, status } // printed as it is
}

const table = `create table Note (id int primary key, note_text varchar(255) collate utf8mb4_general_ci,
  code varchar(32) collate utf8mb4_bin, pages double) default charset = utf8mb4`

t.test(
  'check --databases names the columns that take different texts for equal',
  { skip: await whyNoServer() },
  async (t) => {
    const database = await createTestDatabase()
    t.teardown(() => database.drop())
    await runOn(database.url, table)
    const dir = makeApp(t, 'mysql', { url: database.url })
    const isAboutTable = ({ reason }: Finding): boolean => reason.includes('Note')
    t.same((await check(dir)).findings.filter(isAboutTable), [], 'no database is contacted without it')
    const { findings, status } = await check(dir, '--databases')
    t.match(findings.filter(isAboutTable), [
      { effect: 'info', file: 'common/models/note.json', reason: /no column "_undeclared"/ },
      {
        effect: 'differs',
        file: 'common/models/note.json',
        key: 'properties.text',
        line: Number,
        reason: /^the column Note\.note_text \(utf8mb4_general_ci\) treats different strings as equal/
      },
      { effect: 'differs', key: 'properties.code', reason: /^the column Note\.code \(utf8mb4_bin\)/ }
    ])
    t.equal(status, 0, 'everything runs')
  }
)

t.test('a database that does not answer does not run', async (t) => {
  const dir = makeApp(t, 'mysql', { url: 'mysql://root@127.0.0.1:1/nothing' })
  t.equal((await check(dir)).status, 0)
  const { findings, status } = await check(dir, '--databases')
  const fails = findings.filter(({ effect }) => effect === 'fails')
  t.match(fails, [
    {
      effect: 'fails',
      file: 'server/datasources.json',
      key: 'db',
      code: 'DATA_SOURCE_UNAVAILABLE',
      reason: 'the data source db: cannot connect to the database'
    }
  ])
  t.equal(status, 1)
})
