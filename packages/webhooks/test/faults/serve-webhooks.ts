import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { modelwire } from '@modelwire/core'
import Fastify, { type FastifyInstance } from 'fastify'
import { webhooks, type WebhooksOptions } from '#src/index.ts'
import { changeModel, readTable } from './table-log.ts'

const connectors = { postgresql, mysql }

/** Which database, and how. */
export interface Serving {
  readonly kind: keyof typeof connectors
  readonly url: string
  readonly options: WebhooksOptions
}

/** A server of webhooks over a database that other processes share. */
export async function serveWebhooks({ kind, url, options }: Serving): Promise<FastifyInstance> {
  const app = Fastify({ logger: { level: 'error', stream: process.stderr } })
  const note = { name: 'Note', properties: { id: { type: 'number', id: true, generated: false }, text: 'string' } }
  const db = connectors[kind]({ url })
  await app.register(modelwire, { dataSources: { db }, models: [note, changeModel] })
  readTable(app.models)
  await app.register(webhooks, options)
  await app.ready()
  return app
}
