import { type OwnServer, type OwnServerOptions, startOwnServer } from '@modelwire/connector-tests/mongodb'
import { type ModelDefinition, ModelRegistry } from '@modelwire/core'
import type { Connector, ConnectorChangeLog, LogEntry, ModelType } from '@modelwire/core/connector'
import { type Db, MongoClient } from 'mongodb'
import type { Test } from 'tap'
import { mongodb } from '#src/mongodb.ts'

/** A process that reads the log of a server. */
export interface LogProcess {
  readonly connector: Connector
  readonly models: readonly ModelType[]
  readonly log: ConnectorChangeLog
  readonly migrate: () => Promise<unknown>
}

/** A server whose log processes read. */
export interface LogServer extends LogProcess {
  readonly server: OwnServer
  /** The database as another program sees it. */
  readonly db: Db
  /** Another process. */
  readonly another: () => Promise<LogProcess>
}

/** A model that logs its changes. */
export const note: ModelDefinition = {
  name: 'Note',
  changeLog: true,
  mongodb: { collection: 'notes' },
  properties: { id: { type: 'string', id: true, generated: true }, text: 'string', password: 'string', n: 'number' }
}

async function openProcess(t: Test, url: string, definitions: readonly ModelDefinition[]): Promise<LogProcess> {
  const registry = new ModelRegistry()
  for (const definition of definitions) registry.define(definition)
  const connector = mongodb({ url })
  t.teardown(() => connector.disconnect())
  registry.addDataSource('db', connector)
  for (const { name } of definitions) registry.attach(name, 'db')
  await connector.connect()
  const models = definitions.map(({ name }) => registry.typeOf(name))
  const log = connector.changeLog?.(models)
  if (log === undefined) throw new Error('the connector has no log')
  return { connector, models, log, migrate: async () => connector.migrate?.(models, { empty: false }) }
}

/** How the server of a log is started. */
export interface LogServerOptions extends OwnServerOptions {
  readonly definitions?: readonly ModelDefinition[]
  readonly migrates?: boolean
  /** It is no replica set. */
  readonly isSingle?: boolean
}

/** A server of the tests, and a process that has migrated it unless `migrates` is false. */
export async function openLog(
  t: Test,
  { definitions = [note], migrates = true, isSingle = false, ...options }: LogServerOptions = {}
): Promise<LogServer> {
  const server = await startOwnServer({ ...(!isSingle && { replicaSet: 'rs' }), ...options })
  t.teardown(() => server.stop())
  const url = `${server.url}/logged`
  const client = new MongoClient(url)
  t.teardown(() => client.close())
  const another = async (): Promise<LogProcess> => openProcess(t, url, definitions)
  const opened = await another()
  if (migrates) await opened.migrate()
  return { ...opened, server, db: client.db(), another }
}

/** All entries behind a position, page by page. */
export async function readAll(log: ConnectorChangeLog, after: string, limit = 100): Promise<LogEntry[]> {
  const entries: LogEntry[] = []
  let position = after
  for (;;) {
    const page = await log.read(position, limit)
    if (page.length === 0) return entries
    entries.push(...page)
    position = page.at(-1)?.position ?? position
  }
}
