import type { Writable } from 'node:stream'
import { memory } from '@modelwire/connector-memory'
import { type CoreOptions, migrate, modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { changes } from '#src/plugin.ts'
import type { ChangesOptions } from '#src/options.ts'

/** A model with a property of every type that logs its changes. */
export const item = {
  name: 'Item',
  changeLog: true,
  public: true,
  strict: true,
  properties: {
    name: 'string',
    password: 'string',
    price: 'number',
    count: 'integer',
    active: 'boolean',
    added: 'date',
    tags: ['string'],
    origin: { country: 'string', zone: 'number' },
    meta: 'object',
    place: 'geopoint',
    picture: 'buffer'
  }
} as const

/** What an application is made of. */
export interface AppParts extends ChangesOptions {
  readonly connector?: Connector
  readonly models?: CoreOptions['models']
  /** Tables and triggers are made. */
  readonly migrates?: boolean
  readonly changeStreams?: CoreOptions['changeStreams']
  /** What is logged is written to it. */
  readonly log?: Writable
}

/** One process of an application, which is closed with the test. */
export async function openApp(t: Test, parts: AppParts = {}): Promise<FastifyInstance> {
  const {
    connector = memory(),
    models = [item] as CoreOptions['models'],
    migrates = true,
    changeStreams,
    log,
    ...options
  } = parts
  const app = Fastify({ logger: log === undefined ? false : { stream: log }, forceCloseConnections: true })
  t.teardown(async () => app.close())
  await app.register(modelwire, {
    dataSources: { db: connector },
    models: models ?? [],
    ...(changeStreams && { changeStreams })
  })
  await app.register(changes, { pollInterval: 0.05, ...options })
  await app.register(rest, { prefix: '/api' })
  if (migrates) await migrate(app.models)
  await app.ready()
  return app
}
