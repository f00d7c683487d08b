import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase as createMysql, whyNoServer } from '@modelwire/connector-tests/mysql'
import { createTestDatabase as createPostgresql } from '@modelwire/connector-tests/postgresql'
import type { Connector, ConnectorChangeLog, ModelType } from '@modelwire/core/connector'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'

/** Writers that write at the same time. */
const writers = 4

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

/** Counts how often the log of a connector is read. */
export function countReads(connector: Connector): { readonly count: () => number } {
  let reads = 0
  const open = connector.changeLog?.bind(connector)
  if (open === undefined) throw new TypeError('the connector keeps no log')
  connector.changeLog = (models: readonly ModelType[]): ConnectorChangeLog => {
    const log = open(models)
    const read: ConnectorChangeLog['read'] = async (after, limit) => {
      reads += 1
      return log.read(after, limit)
    }
    return { ...log, read }
  }
  return { count: () => reads }
}

/** Makes, changes and removes records, several at once, until it is stopped. */
export function writeNotes(t: Test, app: FastifyInstance): { readonly stop: () => Promise<number> } {
  const over = new AbortController()
  let count = 0
  const Note = app.models.get('Note')
  const write = async (writer: number): Promise<void> => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const note = await Note.create({ title: `${writer}-${turn}`, number: 0, bytes: Buffer.from([turn % 256]) })
      await note.patchAttributes({ number: 1 })
      await note.patchAttributes({ number: 2, at: new Date() })
      if (turn % 5 === 0) await Note.destroyById(note['id'])
      count += turn % 5 === 0 ? 4 : 3
    }
  }
  const running = Promise.all(Array.from({ length: writers }, async (_, writer) => write(writer)))
  const stop = async (): Promise<number> => {
    over.abort()
    await running
    return count
  }
  t.teardown(stop)
  return { stop }
}
