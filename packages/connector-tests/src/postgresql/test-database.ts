import { randomBytes } from 'node:crypto'
import { findServer } from './find-server.ts'
import { runOn } from './run-on.ts'

/** A database of its own on a PostgreSQL server. */
export interface TestDatabase {
  readonly url: string
  /** Removes the database, and ends the server where the tests started it. */
  readonly drop: () => Promise<void>
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
      await runOn(server.url, `drop database if exists ${name} with (force)`)
      await server.stop()
    }
  }
}
