import { changes } from '@modelwire/changes'
import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import * as mysqlServer from '@modelwire/connector-tests/mysql'
import * as postgresqlServer from '@modelwire/connector-tests/postgresql'
import { migrate, modelwire } from '@modelwire/core'
import { until } from '@modelwire/test-waits'
import Fastify from 'fastify'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { webhooks } from '#src/index.ts'
import { noteModel, quick } from './make-app.ts'
import { startReceiver } from './receiver.ts'

const places = [
  { name: 'PostgreSQL', connect: postgresql, ...postgresqlServer, skip: false },
  { name: 'MySQL or MariaDB', connect: mysql, ...mysqlServer, skip: await mysqlServer.whyNoServer() }
] as const

for (const { name, connect, createTestDatabase, runOn, skip } of places)
  t.test(`${name}: an endpoint hears of changes that any program makes`, { skip }, async (t) => {
    const { url, drop } = await createTestDatabase()
    t.teardown(drop)
    const receiver = await startReceiver(t)
    const app = Fastify()
    t.teardown(async () => app.close())
    const { acls: _acls, ...note } = noteModel
    await app.register(modelwire, { dataSources: { db: connect({ url }) }, models: [{ ...note, changeLog: true }] })
    await app.register(changes, { pollInterval: 0.05 })
    await app.register(webhooks, { ...quick, concurrencyPerEndpoint: 1 })
    app.models.seal()
    await migrate(app.models)
    await app.ready()
    const { secret } = await app.webhooks.createEndpoint({ url: receiver.url })
    await until(async () => app.models.get('WebhookCursor').findById('db'), 'the log to be read')
    const Note = app.models.get('Note')
    await Note.create({ id: 1, text: 'by the server', secret: 'hidden' })
    await Note.updateAll({ id: 1 }, { price: 2 })
    const table = name === 'PostgreSQL' ? 'note' : 'Note'
    await runOn(url, `insert into ${table} (id, text, secret) values (2, 'by another program', 'hidden')`)
    await runOn(url, `delete from ${table} where id = 1`)
    await until(
      () => receiver.arrived.length === 4,
      () => `messages, not ${receiver.arrived.length}`
    )
    t.match(receiver.messages(), [
      { type: 'note.created', data: { id: 1, text: 'by the server' } },
      { type: 'note.updated', data: { id: 1, price: 2 } },
      { type: 'note.created', data: { id: 2, text: 'by another program' } },
      { type: 'note.deleted', data: { id: 1 } }
    ])
    const verifier = new Webhook(secret)
    for (const { body, headers } of receiver.arrived) t.ok(verifier.verify(body, headers))
    t.notOk(receiver.arrived.some(({ body }) => body.includes('hidden')))
  })
