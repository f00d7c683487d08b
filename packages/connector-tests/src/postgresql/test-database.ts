import { randomBytes } from 'node:crypto'
import { findServer, runOn } from './own-server.ts'
import { until } from '@modelwire/test-waits'

/** A database of its own on a PostgreSQL server. */
export interface TestDatabase {
  readonly url: string
  /** Removes the database, and ends the server where the tests started it. */
  readonly drop: () => Promise<void>
}

/** Waits a moment for connections that are being closed: drivers take one that is broken off for an error. Others are ended by force. */
async function untilUnused(url: string, name: string): Promise<void> {
  const open = `select pid from pg_stat_activity where datname = '${name}'`
  const isUnused = async (): Promise<boolean> => (await runOn(url, open))[0]?.rows.length === 0
  const end = performance.now() + 1000
  await until(async () => (await isUnused()) || performance.now() > end, 'connections to a database to end')
}

/**
 * Creates a database on the server of MODELWIRE_POSTGRESQL_URL, on the one that runs on this machine, or on one that is
 * started for it.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await findServer()
  const name = `modelwire_test_${randomBytes(6).toString('hex')}`
  await runOn(server.url, `create database ${name}`)
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: async () => {
      await untilUnused(server.url, name)
      await runOn(server.url, `drop database if exists ${name} with (force)`)
      await server.stop()
    }
  }
}
