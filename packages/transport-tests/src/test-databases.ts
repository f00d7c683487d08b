import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase as createMysql, whyNoServer } from '@modelwire/connector-tests/mysql'
import { createTestDatabase as createPostgresql } from '@modelwire/connector-tests/postgresql'
import type { Connector } from '@modelwire/core/connector'

/** Makes a connector of a database that has a log. */
export const connectors: Readonly<Record<string, (url: string) => Connector>> = {
  PostgreSQL: (url) => postgresql({ url, statementTimeout: 0 }),
  MariaDB: (url) => mysql({ url, connectionLimit: 8 })
}

/** A database of its own. */
export interface DatabaseKind {
  readonly name: string
  /** Why there is none here. */
  readonly skip: string | false
  readonly create: () => Promise<{ readonly url: string; readonly drop: () => Promise<void> }>
}

/** The kinds of databases that transports are tested on. */
export const databases: readonly DatabaseKind[] = [
  { name: 'PostgreSQL', skip: false, create: createPostgresql },
  { name: 'MariaDB', skip: await whyNoServer(), create: createMysql }
]
