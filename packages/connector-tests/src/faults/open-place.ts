import type { Connector } from '@modelwire/core/connector'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { serveEntries } from './serve-entries.ts'
import { openProxy, type TcpProxy } from './tcp-proxy.ts'

/** The connector under test, and the database behind it. */
export interface FaultTestsOptions {
  readonly create: (settings: Readonly<Record<string, unknown>>) => Connector
  /** The setting that limits the number of connections. */
  readonly limitKey: string
  /** Makes an empty database. */
  readonly createDatabase: () => Promise<{ readonly url: string; readonly drop: () => Promise<void> }>
  /** The default port of the database. */
  readonly port: number
  /** Runs statements on a connection outside of the connector. */
  readonly runOn: (url: string, ...statements: readonly string[]) => Promise<unknown>
}

/** What a case has: a server of entries whose database is behind a proxy. */
export interface Place {
  readonly app: FastifyInstance
  readonly url: string
  readonly proxy: TcpProxy
  /** The database without the proxy. */
  readonly directUrl: string
}

/** How the place of a case differs. */
export interface PlaceOptions {
  readonly settings?: Readonly<Record<string, unknown>>
  /** Three when absent. */
  readonly connections?: number
  /** Statements that are run on the empty database. */
  readonly statements?: readonly string[]
}

/** Opens a place with a database of its own; it is closed with the test. */
export async function openPlace(
  t: Test,
  { create, limitKey, createDatabase, port, runOn }: FaultTestsOptions,
  { settings = {}, connections = 3, statements = [] }: PlaceOptions = {}
): Promise<Place> {
  const database = await createDatabase()
  t.teardown(() => database.drop())
  if (statements.length > 0) await runOn(database.url, ...statements)
  const target = new URL(database.url)
  const proxy = await openProxy({ host: target.hostname, port: Number(target.port || port) })
  t.teardown(() => proxy.close())
  target.hostname = '127.0.0.1'
  target.port = String(proxy.port)
  const { app, url } = await serveEntries(create({ url: target.href, [limitKey]: connections, ...settings }))
  t.teardown(() => app.close())
  return { app, url, proxy, directUrl: database.url }
}

/** Sends an entry to a server of entries. */
export async function postEntry(app: FastifyInstance, payload: object): Promise<LightMyRequestResponse> {
  return app.inject({ method: 'POST', url: '/api/entries', payload })
}
