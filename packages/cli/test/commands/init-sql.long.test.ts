import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { sqlite } from '@modelwire/connector-sqlite'
import { createTestDatabase as onMysql, whyNoServer } from '@modelwire/connector-tests/mysql'
import { createTestDatabase as onPostgresql } from '@modelwire/connector-tests/postgresql'
import type { Connector } from '@modelwire/core/connector'
import t, { type Test } from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { link, makeEmptyFolder } from '../new-project.ts'
import { env, slow } from './try-new-project.ts'

interface Place {
  readonly address: string
  readonly connector: Connector
}

async function placed(t: Test, create: typeof onMysql, connect: (settings: object) => Connector): Promise<Place> {
  const { url, drop } = await create()
  t.teardown(drop)
  return { address: url, connector: connect({ url }) }
}

const databases = {
  postgresql: async (t: Test) => placed(t, onPostgresql, (settings) => postgresql({ ...settings })),
  mysql: async (t: Test) => placed(t, onMysql, (settings) => mysql({ ...settings })),
  sqlite: async (t: Test) => {
    const file = join(makeEmptyFolder(t), 'notes.db')
    return { address: file, connector: sqlite({ file }) }
  }
} as const

/** The tables of a database with their columns, and where foreign keys lead to. */
async function layoutOf(connector: Connector) {
  const { discovery } = connector
  const tables = ((await discovery?.listTables({})) ?? []).map(({ name }) => name)
  const keys = tables.map(async (name) => (await discovery?.listForeignKeys(name, {})) ?? [])
  const columns = (await discovery?.listColumns('note', {})) ?? []
  const leading = (await Promise.all(keys)).flat()
  await connector.disconnect()
  return {
    tables: tables.toSorted(),
    columns: columns.map(({ columnName }) => columnName).toSorted(),
    keys: leading.map((key) => `${key.fkTableName}.${key.fkColumnName} ${key.pkTableName}`).toSorted()
  }
}

const noMysql = await whyNoServer()

for (const [name, place] of Object.entries(databases))
  for (const style of ['typebox', 'json'] as const)
    t.test(
      `a project of style ${style} has the tables that it uses in ${name}, in snake_case and with foreign keys`,
      { ...slow, ...(name === 'mysql' && { skip: noMysql }) },
      async (t) => {
        const dir = makeEmptyFolder(t)
        t.equal(await run(['init', dir, '--style', style, '--database', name], fakeTerminal()), 0)
        link(dir)
        const { address, connector } = await place(t)
        const there = { cwd: dir, env: { ...env, DATABASE_URL: address, NODE_ENV: 'production' } }
        if (style === 'typebox') await promisify(execFile)('npm', ['run', 'build'], there)
        await promisify(execFile)('node_modules/.bin/modelwire', ['migrate', '.', '--yes'], there)
        const { stdout } = await promisify(execFile)('npm', ['test'], there)
        t.match(stdout, /pass 2[^]*fail 0/)
        const { tables, columns, keys } = await layoutOf(connector)
        t.strictSame(tables, ['access_token', 'account', 'note'])
        t.strictSame(columns, ['account_id', 'created', 'done', 'id', 'text'])
        t.strictSame(keys, ['access_token.user_id account', 'note.account_id account'])
      }
    )
