import { changes } from '@modelwire/changes'
import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { sqlite } from '@modelwire/connector-sqlite'
import { migrate, modelwire } from '@modelwire/core'
import Fastify, { type FastifyInstance } from 'fastify'
import { webhooks, type WebhooksOptions } from '#src/index.ts'

/** Connects to a database; for SQLite the URL is the path of its file. */
const connectors = { postgresql, mysql, sqlite: ({ url }: { readonly url: string }) => sqlite({ file: url }) }

const note = {
  name: 'Note',
  changeLog: true,
  properties: { id: { type: 'number', id: true, generated: false }, text: 'string' }
} as const

/** Which database, and how. */
export interface Serving {
  readonly kind: keyof typeof connectors
  readonly url: string
  readonly options: WebhooksOptions
}

/** A server of webhooks over a database that other processes share. @param migrates makes the tables first */
export async function serveWebhooks({ kind, url, options }: Serving, migrates = false): Promise<FastifyInstance> {
  const app = Fastify({ logger: { level: 'error', stream: process.stderr } })
  const db = connectors[kind]({ url })
  await app.register(modelwire, { dataSources: { db }, models: [note] })
  await app.register(changes)
  await app.register(webhooks, options)
  app.models.seal()
  if (migrates) await migrate(app.models)
  await app.ready()
  return app
}
