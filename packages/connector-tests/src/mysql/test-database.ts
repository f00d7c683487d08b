import { randomBytes } from 'node:crypto'
import { runOn } from './run-on.ts'
import { serverUrl } from './server-url.ts'

/** A database of its own on a MySQL or MariaDB server. */
export interface TestDatabase {
  readonly url: string
  readonly drop: () => Promise<void>
}

/** Creates a database on the server of MODELWIRE_MYSQL_URL, or on the one that runs on this machine. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = serverUrl()
  const name = `modelwire_test_${randomBytes(6).toString('hex')}`
  await runOn(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const drop = async (): Promise<void> => {
    await runOn(server, `drop database if exists ${name}`)
  }
  return { url: url.href, drop }
}
