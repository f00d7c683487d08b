import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import { modelwire } from '@modelwire/core'
import { until } from '@modelwire/test-waits'
import Fastify from 'fastify'
import t from 'tap'
import { ops } from '#src/index.ts'
import { readMetrics, valueOf } from './read-metrics.ts'

void t.test('connections of a pool are counted: open, idle, and who waits', async (t) => {
  const { url, drop } = await createTestDatabase()
  const db = postgresql({ url, max: 2 })
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    await drop()
  })
  await app.register(modelwire, { dataSources: { db } })
  await app.register(ops, { metrics: true, cache: 3600 })
  await app.ready()
  const count = async (state: string): Promise<number> =>
    Number(valueOf(await readMetrics(app), `modelwire_pool_connections{data_source="db",state="${state}"}`))
  t.equal(await count('open'), 1)
  const held = await Promise.all([db.beginTransaction?.(), db.beginTransaction?.()])
  const waiting = db.ping()
  await until(async () => (await count('waiting')) === 1, 'a caller to wait')
  t.equal(await count('open'), 2)
  t.equal(await count('idle'), 0)
  for (const transaction of held) await transaction?.rollback()
  await waiting
  await until(async () => (await count('idle')) === 2, 'the connections to be idle')
  t.equal(await count('waiting'), 0)
})
