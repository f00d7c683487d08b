import { memory } from '@modelwire/connector-memory'
import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { sqlite } from '@modelwire/connector-sqlite'
import { createTestDatabase as createMysql, whyNoServer } from '@modelwire/connector-tests/mysql'
import { createTestDatabase as createPostgresql } from '@modelwire/connector-tests/postgresql'
import type { Connector } from '@modelwire/core/connector'

/** A database to run tests on. */
export interface TestDatabase {
  readonly name: string
  /** Why it cannot be used here; false where it can. */
  readonly skip: string | false
  /** A connector to a database of its own, and how to remove that database. */
  readonly open: () => Promise<{ connector: Connector; drop: () => Promise<void> }>
}

function server(
  create: () => Promise<{ url: string; drop: () => Promise<void> }>,
  make: (settings: { readonly url: string }) => Connector
): TestDatabase['open'] {
  return async () => {
    const { url, drop } = await create()
    return { connector: make({ url }), drop }
  }
}

/** All databases that connectors exist for. */
export async function databases(): Promise<readonly TestDatabase[]> {
  const nothing = async (): Promise<void> => undefined
  return [
    { name: 'memory', skip: false, open: async () => ({ connector: memory(), drop: nothing }) },
    { name: 'sqlite', skip: false, open: async () => ({ connector: sqlite({ file: ':memory:' }), drop: nothing }) },
    { name: 'postgresql', skip: false, open: server(createPostgresql, postgresql) },
    { name: 'mysql', skip: await whyNoServer(), open: server(createMysql, mysql) }
  ]
}
