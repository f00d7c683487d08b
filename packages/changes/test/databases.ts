import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mongodb } from '@modelwire/connector-mongodb'
import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { sqlite } from '@modelwire/connector-sqlite'
import {
  createTestDatabase as createMongodb,
  startOwnServer,
  whyNoReplicaSet
} from '@modelwire/connector-tests/mongodb'
import { createTestDatabase as createMysql, whyNoServer } from '@modelwire/connector-tests/mysql'
import { createTestDatabase as createPostgresql } from '@modelwire/connector-tests/postgresql'
import type { Connector, ConnectorChangeLog } from '@modelwire/core/connector'
import type { FastifyInstance } from 'fastify'

/** A database of its own, which several connectors can be opened on. */
export interface Database {
  readonly connect: () => Connector
  /** Counts a record of the model `Counter` up. */
  readonly countUp: (app: FastifyInstance, key: number) => Promise<unknown>
  /** Has the log end here: gives how many changes were removed. Absent where the server does it by itself. */
  readonly forget?: (log: ConnectorChangeLog) => Promise<number>
  readonly drop: () => Promise<void>
}

/** A kind of database that keeps a log. */
export interface DatabaseKind {
  readonly name: string
  /** Why there is none here. */
  readonly skip: string | false
  /** Transactions are not taken back: what they do takes effect at once. */
  readonly lacksTransactions?: true
  readonly create: () => Promise<Database>
}

/** Of all databases of SQL. */
const ofSql: Pick<Database, 'countUp' | 'forget'> = {
  countUp: async ({ models }, key) =>
    models.dataSources.get('db')?.connector.execute?.(`update counter set value = value + 1 where id = ${key}`),
  forget: async (log) => log.purge(new Date(Date.now() + 60_000))
}

const ofMongodb = (url: string): Pick<Database, 'connect' | 'countUp'> => ({
  connect: () => mongodb({ url, allowExtendedOperators: true }),
  countUp: async ({ models }, key) => models.get('Counter').updateAll({ id: key }, { $inc: { value: 1 } })
})

async function createSqlite(): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-changes-'))
  return {
    ...ofSql,
    connect: () => sqlite({ file: join(folder, 'data.db') }),
    drop: async () => rm(folder, { recursive: true })
  }
}

/** All kinds of databases that keep a log. */
export const databases: readonly DatabaseKind[] = [
  { name: 'SQLite', skip: false, create: createSqlite },
  {
    name: 'PostgreSQL',
    skip: false,
    create: async () => {
      const { url, drop } = await createPostgresql()
      return { ...ofSql, connect: () => postgresql({ url, statementTimeout: 0 }), drop }
    }
  },
  {
    name: 'MySQL or MariaDB',
    skip: await whyNoServer(),
    create: async () => {
      const { url, drop } = await createMysql()
      return { ...ofSql, connect: () => mysql({ url, connectionLimit: 8 }), drop }
    }
  },
  {
    name: 'MongoDB',
    skip: await whyNoReplicaSet(),
    create: async () => {
      const { url, drop } = await createMongodb()
      return { ...ofMongodb(url), drop }
    }
  },
  {
    name: 'a server with the protocol of MongoDB',
    skip: false,
    lacksTransactions: true,
    create: async () => {
      const { url, forgetChanges, stop } = await startOwnServer({ replicaSet: 'rs', keepsCommands: false })
      const forget = async (): Promise<number> => {
        forgetChanges()
        return 2
      }
      return { ...ofMongodb(`${url}/changes`), forget, drop: stop }
    }
  }
]
