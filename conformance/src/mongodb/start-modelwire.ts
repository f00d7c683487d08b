import { createServer } from '@modelwire/boot'
import { mongodb, type MongodbSettings } from '@modelwire/connector-mongodb'
import type { RunningApp } from '../replay.ts'
import { numberOf, objectIdOf } from './object-ids.ts'

type Connector = ReturnType<typeof mongodb>
type Collection = ReturnType<Connector['collection']>
type ModelType = Parameters<Connector['collection']>[0]

/** How Modelwire is started. */
export interface ModelwireOptions {
  readonly appDir: string
  readonly version: 2 | 3
  readonly env: string
  readonly ids: 'counting' | 'objectid'
}

/** Ids are numbers that count up, as memory makes them: an application folder has ObjectIds otherwise. */
const countingIds = (connector: Connector): Connector =>
  Object.defineProperty(connector, 'capabilities', {
    value: { ...connector.capabilities, generatedIdType: 'number', transactions: false }
  })

/** ObjectIds in the order in which memory gives its numbers. */
function orderedIds(connector: Connector): Connector {
  const last = new Map<string, number>()
  const collection = connector.collection.bind(connector)
  const remember = ({ name }: ModelType, id: unknown): void => {
    const number = numberOf(String(id))
    if (number !== undefined) last.set(name, Math.max(last.get(name) ?? 0, number))
  }
  const give = (model: ModelType, row: Record<string, unknown>): void => {
    const { name = '', generated = false } = model.idProperty ?? {}
    if (generated) row[name] ??= objectIdOf((last.get(model.name) ?? 0) + 1)
    remember(model, row[name])
  }
  connector.collection = (model): Collection => {
    const made = collection(model)
    return {
      ...made,
      insert: async (rows) => {
        for (const row of rows) give(model, row)
        return made.insert(rows)
      },
      upsert: async (row, defaults) => {
        give(model, row)
        return made.upsert(row, defaults)
      }
    }
  }
  return connector
}

/**
 * Starts an application folder with Modelwire.
 * @throws {Error} the application does not start
 */
export async function startModelwire({ appDir, version, env, ids }: ModelwireOptions): Promise<RunningApp> {
  const order = ids === 'counting' ? countingIds : orderedIds
  const server = await createServer({
    dir: appDir,
    version,
    env,
    logger: false,
    connectors: { mongodb: (settings: MongodbSettings) => order(mongodb(settings)) },
    // Clients of recordings keep connections that carry nothing any more.
    serverTimeouts: { shutdown: 1 }
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { url, close: () => server.close() }
}
