import { type ModelDefinition, migrate, modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import { changes } from '#src/plugin.ts'

/** Counters, which are counted up in the order of their locks. */
export const tally: ModelDefinition = {
  name: 'Tally',
  changeLog: true,
  public: true,
  strict: true,
  options: { mysql: { table: 'tally' } },
  properties: { id: { type: 'number', id: true }, value: 'number' },
  methods: {
    countUp: { accepts: [{ arg: 'id', type: 'number', required: true }], http: { verb: 'post', path: '/countUp' } }
  }
}

/** Entries whose ids the clients choose. */
export const entry: ModelDefinition = {
  name: 'Entry',
  changeLog: true,
  public: true,
  strict: true,
  properties: { id: { type: 'string', id: true, length: 64 } }
}

/** Serves tallies and entries on a free port; gives the address. */
export async function serveTallies(connector: Connector): Promise<string> {
  const app = Fastify({ forceCloseConnections: true })
  await app.register(modelwire, { dataSources: { db: connector }, models: [tally, entry] })
  await app.register(changes, {})
  Object.assign(app.models.get('Tally'), {
    countUp: async (id: number) => connector.execute?.(`update tally set value = value + 1 where id = ${id}`)
  })
  await app.register(rest, { prefix: '/api' })
  await migrate(app.models)
  return app.listen({ host: '127.0.0.1', port: 0 })
}
