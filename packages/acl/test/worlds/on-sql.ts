import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { sqlite } from '@modelwire/connector-sqlite'
import { createTestDatabase as createMysql, runOn as runOnMysql } from '@modelwire/connector-tests/mysql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import type { Connector } from '@modelwire/core/connector'
import type { Test } from 'tap'

/** Gives connectors to two databases in turn, each of them empty then; these go with the test. */
export async function onPostgresql(t: Test): Promise<() => Promise<Connector>> {
  const databases = [await createTestDatabase(), await createTestDatabase()] as const
  t.teardown(async () => {
    for (const database of databases) await database.drop()
  })
  let turn = 0
  return async () => {
    const { url } = databases[turn++ % 2 === 0 ? 0 : 1]
    await runOn(url, 'drop schema public cascade; create schema public')
    return postgresql({ url })
  }
}

/** The same on MariaDB or MySQL. */
export async function onMysql(t: Test): Promise<() => Promise<Connector>> {
  const databases = [await createMysql(), await createMysql()] as const
  t.teardown(async () => {
    for (const database of databases) await database.drop()
  })
  let turn = 0
  return async () => {
    const { url } = databases[turn++ % 2 === 0 ? 0 : 1]
    const name = new URL(url).pathname.slice(1)
    await runOnMysql(url, `drop database ${name}`, `create database ${name}`)
    return mysql({ url })
  }
}

/** Gives connectors to new databases in files; these go with the test. */
export async function onSqlite(t: Test): Promise<() => Promise<Connector>> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-worlds-'))
  t.teardown(async () => rm(folder, { recursive: true }))
  let count = 0
  return async () => sqlite({ file: join(folder, `${count++}.db`) })
}
