import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnServer, type SpawnedServer } from '@modelwire/connector-tests'
import * as mysqlServer from '@modelwire/connector-tests/mysql'
import * as postgresqlServer from '@modelwire/connector-tests/postgresql'
import { takeTime, until } from '@modelwire/test-waits'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { WebhooksOptions } from '#src/index.ts'
import type { Receiver } from '../receiver.ts'
import { serveWebhooks, type Serving } from './serve-webhooks.ts'

const script = fileURLToPath(new URL('../fixtures/send-webhooks.js', import.meta.url))
const kills = 6

/** Short times, so that much happens. */
export const options: WebhooksOptions = {
  secret: 'a secret of tests alone, 32 characters or more',
  allowedHosts: ['127.0.0.1'],
  retries: Array.from({ length: 60 }, () => 0.1),
  timeout: 1,
  lease: 1,
  interval: 0.1,
  concurrencyPerEndpoint: 20
}

/** A database that several processes send from. */
export interface Place {
  readonly kind: Serving['kind']
  readonly create: () => Promise<{ readonly url: string; readonly drop: () => Promise<void> }>
  readonly skip: string | false
}

async function createFile(): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-webhooks-'))
  return { url: join(folder, 'notes.sqlite'), drop: async () => rm(folder, { recursive: true, force: true }) }
}

/** The databases that can be reached. */
export const places: readonly Place[] = [
  { kind: 'postgresql', create: postgresqlServer.createTestDatabase, skip: false },
  { kind: 'mysql', create: mysqlServer.createTestDatabase, skip: await mysqlServer.whyNoServer() },
  { kind: 'sqlite', create: createFile, skip: false }
]

/** Opens an application that makes the tables, and sends nothing itself. The log is read from here on. */
export async function openWriter(t: Test, serving: Serving): Promise<FastifyInstance> {
  const app = await serveWebhooks({ ...serving, options: { ...serving.options, run: false } }, true)
  t.teardown(async () => app.close())
  const position = await app.models.changeLogs.get('db')?.latest()
  await app.models.get('WebhookCursor').create({ id: 'db', position: position ?? '', count: 0 })
  return app
}

/** Kills one of two processes with -9 and starts another, several times while they send. @param most messages that there are */
export async function killInTurn(
  t: Test,
  serving: Serving,
  { receiver, most }: { readonly receiver: Receiver; readonly most: number }
): Promise<void> {
  const start = async (): Promise<SpawnedServer> => {
    const server = await spawnServer(script, { ...serving })
    t.teardown(async () => server.kill())
    return server
  }
  const running = [await start(), await start()]
  for (let killed = 0; killed < kills; killed++) {
    const before = receiver.arrived.length
    await until(() => receiver.arrived.length > before + 200 || receiver.arrived.length > most, 'messages', 60_000)
    await takeTime(100 * killed, 'the kill meets another moment of the work')
    await running[killed % 2]?.kill()
    running[killed % 2] = await start()
  }
}
