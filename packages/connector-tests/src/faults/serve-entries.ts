import { modelwire, type ModelDefinition } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'

/** What the load writes: entries whose ids the clients choose, so that they know what must be there. */
export const entry: ModelDefinition = {
  name: 'FaultEntry',
  plural: 'entries',
  strict: true,
  public: true,
  properties: {
    id: { type: 'string', id: true, length: 64 },
    worker: 'number',
    serial: { type: 'number', required: true },
    twin: 'string'
  }
}

/** A server of entries on a free port, and its address. */
export interface EntryServer {
  readonly app: FastifyInstance
  readonly url: string
}

/** Serves the entries that a connector stores over HTTP, after making their table where it is missing. */
export async function serveEntries(connector: Connector): Promise<EntryServer> {
  const app = Fastify({ forceCloseConnections: true })
  await app.register(modelwire, { dataSources: { db: connector }, models: { FaultEntry: entry } })
  await connector.migrate?.([app.models.typeOf('FaultEntry')], { empty: false })
  await app.register(rest, { prefix: '/api' })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, url: `${url}/api/entries` }
}
