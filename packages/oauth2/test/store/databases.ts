import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { memory } from '@modelwire/connector-memory'
import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { sqlite } from '@modelwire/connector-sqlite'
import type { Connector } from '@modelwire/core'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'

/** A database to run tests on. */
export interface TestDatabase {
  readonly name: string
  /** Why it cannot be used here; false where it can. */
  readonly skip: string | false
  /** A connector to a database of its own, and how to remove that database. */
  readonly open: () => Promise<{ connector: Connector; drop: () => Promise<void> }>
}

const urls = {
  postgresql: process.env['MODELWIRE_POSTGRESQL_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  mysql: process.env['MODELWIRE_MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306/mysql'
} as const

async function isListening(url: string): Promise<boolean> {
  const { hostname: host, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host, timeout: 1000 })
    const finish = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('connect', () => finish(true))
    socket.on('error', () => finish(false))
    socket.on('timeout', () => finish(false))
  })
}

/** Runs a statement beside the connector under test. */
const admins = {
  async postgresql(statement: string): Promise<void> {
    const client = new Client({ connectionString: urls.postgresql })
    await client.connect()
    await client.query(statement)
    await client.end()
  },
  async mysql(statement: string): Promise<void> {
    const connection = await createConnection(urls.mysql)
    await connection.query(statement)
    await connection.end()
  }
} as const

function server(
  name: keyof typeof admins,
  make: (settings: { readonly url: string }) => Connector
): TestDatabase['open'] {
  return async () => {
    const database = `modelwire_test_${randomBytes(6).toString('hex')}`
    await admins[name](`create database ${database}`)
    const url = new URL(urls[name])
    url.pathname = `/${database}`
    return { connector: make({ url: url.href }), drop: () => admins[name](`drop database ${database}`) }
  }
}

const here = async (name: 'postgresql' | 'mysql'): Promise<string | false> =>
  (await isListening(urls[name])) ? false : `needs ${name} at its usual port, or at its variable`

/** All databases that connectors exist for. */
export async function databases(): Promise<readonly TestDatabase[]> {
  const nothing = async (): Promise<void> => undefined
  return [
    { name: 'memory', skip: false, open: async () => ({ connector: memory(), drop: nothing }) },
    { name: 'sqlite', skip: false, open: async () => ({ connector: sqlite({ file: ':memory:' }), drop: nothing }) },
    { name: 'postgresql', skip: await here('postgresql'), open: server('postgresql', postgresql) },
    { name: 'mysql', skip: await here('mysql'), open: server('mysql', mysql) }
  ]
}
