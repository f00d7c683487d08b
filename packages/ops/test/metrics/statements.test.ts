import { memory } from '@modelwire/connector-memory'
import { sqlite } from '@modelwire/connector-sqlite'
import { modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { ops, type OpsOptions } from '#src/index.ts'
import { readMetrics, seriesOf, valueOf } from './read-metrics.ts'

async function makeApp(t: Test, db: Connector, options: OpsOptions): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(async () => app.close())
  const properties = { id: { type: 'string', id: true }, text: 'string' } as const
  await app.register(modelwire, { dataSources: { db }, models: [{ name: 'Note', public: true, properties }] })
  await app.register(ops, options)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  await db.migrate?.([app.models.typeOf('Note')], { empty: true })
  return app
}

const counted = (text: string, verb: string, outcome = 'done'): string | undefined =>
  valueOf(text, `modelwire_statement_duration_seconds_count{data_source="db",verb="${verb}",outcome="${outcome}"}`)

void t.test('statements are counted by data source and verb, without their text', async (t) => {
  const app = await makeApp(t, sqlite({ file: ':memory:' }), { metrics: true })
  const post = async (): Promise<number> =>
    (await app.inject({ method: 'POST', url: '/api/Notes', payload: { id: 'mine', text: 'a secret' } })).statusCode
  t.equal(await post(), 200)
  t.equal(await post(), 409)
  await app.inject(`/api/Notes?filter=${encodeURIComponent('{"where":{"text":"another secret"}}')}`)
  const text = await readMetrics(app)
  t.equal(counted(text, 'insert'), '1')
  t.equal(counted(text, 'insert', 'failed'), '1')
  t.ok(Number(counted(text, 'select')) >= 1)
  t.notMatch(seriesOf(text, 'modelwire_').join(), /secret|mine|from|where/i)
})

void t.test('code of the application adds no verbs', async (t) => {
  const db = sqlite({ file: ':memory:' })
  const app = await makeApp(t, db, { metrics: true })
  for (let at = 0; at < 5; at++) await t.rejects(async () => db.execute?.(`frobnicate${at} ${at}`))
  t.equal(counted(await readMetrics(app), 'other', 'failed'), '5')
})

void t.test('without metrics and traces connectors measure nothing', async (t) => {
  let listening = 0
  const activity = { listen: () => void listening++ }
  const watched: Connector = Object.assign(memory(), { activity })
  await makeApp(t, watched, {})
  t.equal(listening, 0)
  await makeApp(t, Object.assign(memory(), { activity }), { metrics: true })
  t.equal(listening, 1)
})
