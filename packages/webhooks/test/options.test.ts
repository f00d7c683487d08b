import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import { until } from '@modelwire/test-waits'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { webhooks, type WebhooksOptions, webhookModels } from '#src/index.ts'
import { makeApp } from './make-app.ts'
import { keepLog } from './memory-log.ts'
import { startReceiver } from './receiver.ts'

async function open(t: Test, sources: readonly string[], options: WebhooksOptions = {}): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(async () => app.close())
  const dataSources = Object.fromEntries(sources.map((name) => [name, memory()]))
  await app.register(modelwire, { dataSources, models: [{ name: 'Note', dataSource: sources[0] ?? null }] })
  await app.register(webhooks, options)
  return app
}

t.test('an option that is wrong is refused', async (t) => {
  const wrong: readonly [string, object][] = [
    ['concurrency', { concurrency: 0 }],
    ['secret', { secret: 'short' }],
    ['unknown', { unknown: 1 }],
    ...['http://hook.example', 'Hook.example', 'hook.example:443', 'a b', 'hook.example/in'].map(
      (host): [string, object] => ['webhooks.allowedHosts', { allowedHosts: [host] }]
    )
  ]
  for (const [key, options] of wrong)
    await t.rejects(open(t, ['db'], options), { code: 'OPTION_INVALID', where: { key } }, key)
})

t.test('of several data sources one is named', async (t) => {
  await t.rejects(open(t, ['db', 'other']), { code: 'OPTION_INVALID', where: { key: 'webhooks.dataSource' } })
  const app = await open(t, ['db', 'other'], { dataSource: 'other' })
  t.equal(app.models.typeOf('WebhookEndpoint').dataSource?.name, 'other')
})

t.test('deliveries are stored where there are transactions', async (t) => {
  const app = await open(t, ['db'])
  keepLog(app.models, ['Note'])
  // Fastify gives what a hook fails with.
  await t.rejects(async () => app.ready(), { code: 'OPTION_INVALID', where: { key: 'webhooks.dataSource' } })
  const idle = await open(t, ['db'], { run: false })
  keepLog(idle.models, ['Note'])
  await t.resolves(async () => idle.ready())
})

t.test('a process may leave the work to others', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await makeApp(t, { run: false })
  await app.webhooks.createEndpoint({ url: receiver.url })
  await app.models.get('Note').create({ id: 1 })
  t.equal(await app.models.get('WebhookCursor').count(), 0)
})

t.test('what makes webhooks less safe is in the log', async (t) => {
  const lines: string[] = []
  const logs = (line: string): unknown => lines.push(line)
  await makeApp(t, { allowPrivateAddresses: true }, { logs })
  t.ok(lines.some((line) => line.includes('allowPrivateAddresses is only for development')))
  t.notOk(lines.some((line) => line.includes('stored as they are')))
})

t.test('an application may define the models itself', async (t) => {
  const receiver = await startReceiver(t)
  const [endpoint] = webhookModels({ userId: 'number', isPublic: false })
  if (endpoint === undefined) throw new Error('no model')
  const own = { ...endpoint, properties: { ...endpoint.properties, team: 'string' } }
  const { app } = await makeApp(t, {}, { models: [{ name: 'Note', properties: { text: 'string' } }, own] })
  const { endpoint: made } = await app.webhooks.createEndpoint({ url: receiver.url, models: ['Note'], team: 'a' })
  t.equal(made['team'], 'a')
  await app.models.get('Note').create({ text: 'x' })
  await until(() => receiver.arrived.length === 1, 'a message')
})

t.test('a server starts before there is an administrator, and its rules refuse clients until then', async (t) => {
  const app = Fastify()
  t.teardown(async () => app.close())
  await app.register(modelwire, { dataSources: { db: memory({ transactions: true }) }, models: [{ name: 'User' }] })
  await app.register(acl)
  await app.register(webhooks, { run: false })
  await app.register(rest, { prefix: '/api' })
  t.equal((await app.inject('/api/WebhookEndpoints')).statusCode, 401)
})

t.test('a server whose database fails is closed in good order', async (t) => {
  const logged: string[] = []
  const { app } = await makeApp(t, { interval: 0.01 }, { logs: (text) => logged.push(text) })
  await app.ready()
  const updateAll = async (): Promise<never> => {
    throw new Error('the table is gone')
  }
  Object.assign(app.models.get('WebhookCursor'), { updateAll })
  await until(() => logged.join('').includes('the change log cannot be read'), 'the failure to be logged')
  await app.close()
  t.match(logged.join(''), /the lease could not be released/)
})
