import { changes, makeTransport, type TransportSettings } from '@modelwire/changes'
import { modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import Fastify, { type FastifyInstance } from 'fastify'

/** The model whose changes are carried. */
export const note = {
  name: 'Note',
  changeLog: true,
  strict: true,
  properties: { title: 'string', number: 'number', at: 'date', bytes: 'buffer' }
} as const

/** How an application takes changes. */
export interface NotesOptions {
  readonly transport?: TransportSettings
  readonly models?: readonly object[]
  /** Called with each line that is logged. */
  readonly onLine?: (line: string) => void
  /** Seconds. */
  readonly pollInterval?: number
}

/** An application that has not listened yet, with the data source `db`. */
export async function serveNotes(
  connector: Connector,
  { transport: settings, models = [note], onLine, pollInterval = 0.1 }: NotesOptions
): Promise<FastifyInstance> {
  const app = Fastify({ logger: onLine === undefined ? false : { level: 'info', stream: { write: onLine } } })
  await app.register(modelwire, { dataSources: { db: connector }, models: models as (typeof note)[] }) // as definitions
  const transport = settings && (await makeTransport(settings, async (name) => import(name) as Promise<unknown>))
  await app.register(changes, { pollInterval, ...(transport && { transport }) })
  await app.ready()
  return app
}
