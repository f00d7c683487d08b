import { memory } from '@modelwire/connector-memory'
import { type CoreOptions, modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { ops, type OpsOptions } from '#src/index.ts'

/** A database whose answers to pings are the test's to choose. */
export interface Database {
  readonly connector: Connector
  pings: number
  /** Called for each ping. */
  answer: () => Promise<void>
}

export function makeDatabase(): Database {
  const connector = memory()
  const database: Database = { connector, pings: 0, answer: async () => {} }
  connector.ping = async () => {
    database.pings++
    await database.answer()
  }
  return database
}

/** A server of notes that is closed with the test. */
export async function makeApp(
  t: Test,
  options: OpsOptions = {},
  database: Database = makeDatabase(),
  further: Pick<CoreOptions, 'changeStreams' | 'sharedState'> = {}
): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(async () => app.close())
  await app.register(modelwire, {
    dataSources: { db: database.connector },
    models: [{ name: 'Note', public: true, properties: { text: 'string' } }],
    ...further
  })
  await app.register(ops, options)
  await app.register(rest, { prefix: '/api' })
  return app
}
