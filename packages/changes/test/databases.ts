import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { sqlite } from '@modelwire/connector-sqlite'
import { createTestDatabase as createMysql, whyNoServer } from '@modelwire/connector-tests/mysql'
import { createTestDatabase as createPostgresql } from '@modelwire/connector-tests/postgresql'
import type { Connector } from '@modelwire/core/connector'

/** A database of its own, which several connectors can be opened on. */
export interface Database {
  readonly connect: () => Connector
  readonly drop: () => Promise<void>
}

/** A kind of database that keeps a log. */
export interface DatabaseKind {
  readonly name: string
  /** Why there is none here. */
  readonly skip: string | false
  readonly create: () => Promise<Database>
}

async function createSqlite(): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-changes-'))
  return {
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
      return { connect: () => postgresql({ url, statementTimeout: 0 }), drop }
    }
  },
  {
    name: 'MySQL or MariaDB',
    skip: await whyNoServer(),
    create: async () => {
      const { url, drop } = await createMysql()
      return { connect: () => mysql({ url, connectionLimit: 8 }), drop }
    }
  }
]
