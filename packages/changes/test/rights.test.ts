import type { Readable } from 'node:stream'
import { acl } from '@modelwire/acl'
import { type ModelDefinition, migrate, modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import { until } from '@modelwire/test-waits'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { changes } from '#src/plugin.ts'
import { type Database, databases } from './databases.ts'

const note: ModelDefinition = {
  name: 'Note',
  changeLog: true,
  public: true,
  strict: true,
  properties: { userId: 'number', text: 'string', secretText: 'string', inner: 'string' },
  hidden: ['inner'],
  acls: [
    { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
    {
      principalType: 'ROLE',
      principalId: '$authenticated',
      permission: 'ALLOW',
      rows: '$owner',
      fields: { read: ['id', 'userId', 'text'] }
    }
  ]
}

/** Its name is that of a secret: no log has its value. */
const report: ModelDefinition = {
  name: 'Report',
  changeLog: true,
  public: true,
  properties: { text: 'string', secret: 'boolean' },
  acls: [
    { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
    {
      principalType: 'ROLE',
      principalId: '$authenticated',
      permission: 'ALLOW',
      property: ['createChangeStream'],
      rows: () => ({ or: [{ secret: { neq: true } }, { text: 'never' }] })
    },
    { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', property: ['find'] }
  ]
}

async function open(t: Test, database: Database): Promise<FastifyInstance> {
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(async () => app.close())
  await app.register(modelwire, {
    dataSources: { db: database.connect() },
    models: [{ name: 'User', properties: { name: 'string' } }, note, report]
  })
  await app.register(acl)
  for (const name of ['ACL', 'Role', 'RoleMapping']) app.models.attach(name, 'db')
  app.addHook('onRequest', async (request) => {
    request.principal = { userId: Number(request.headers['user']) }
    request.accessToken = request.principal
  })
  await app.register(changes, { pollInterval: 0.05 })
  await app.register(rest, { prefix: '/api' })
  await migrate(app.models)
  await app.ready()
  return app
}

/** The text of a stream so far. */
async function follow(app: FastifyInstance, headers: Record<string, string>, plural = 'Notes'): Promise<() => string> {
  const answer = await app.inject({ url: `/api/${plural}/change-stream`, headers, payloadAsStream: true })
  const stream: Readable = answer.stream()
  let text = ''
  stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  return () => text
}

const [sqlite] = databases

t.test('what a caller may not see is in no event, neither live nor out of the log', async (t) => {
  const database = await (sqlite as (typeof databases)[0]).create() // the first kind
  t.teardown(database.drop)
  const [here, there] = [await open(t, database), await open(t, database)]
  const Note = there.models.get('Note')
  const live = await follow(here, { user: '1' })
  const [, start = ''] = (await until(() => /^id: (\S+)$/m.exec(live()), 'the beginning of the stream')) ?? []
  const other = await Note.create({ userId: 2, text: 'of another', secretText: 'x', inner: 'y' })
  await other.patchAttributes({ text: 'of another, changed' })
  await Note.create({ userId: 1, text: 'own', secretText: 'unread', inner: 'hidden' })
  await Note.updateAll({}, { text: 'all of them' })
  await Note.destroyAll({ userId: 2 })
  await Note.destroyAll({ userId: 1 })
  const late = await follow(here, { user: '1', 'last-event-id': start })
  for (const text of [live, late]) {
    await until(
      () => text().includes('"type":"remove"'),
      () => `a removal in ${text()}`
    )
    const events = Array.from(text().matchAll(/^data: (.*)$/gm), ([, data = '']): unknown => JSON.parse(data))
    const [id] = Array.from(text().matchAll(/"target":(\d+)/g), ([, target]) => Number(target))
    t.strictSame(events, [
      { target: id, data: { userId: 1, text: 'own', id }, type: 'create' },
      { target: id, data: { userId: 1, text: 'all of them', id }, type: 'update' },
      { target: id, where: { id }, type: 'remove' }
    ])
  }
})

t.test('where a rule looks at what logs leave out, the log tells nothing', async (t) => {
  const database = await (sqlite as (typeof databases)[0]).create() // the first kind
  t.teardown(database.drop)
  const app = await open(t, database)
  const [reports, notes] = [await follow(app, { user: '1' }, 'Reports'), await follow(app, { user: '1' })]
  await app.models.get('Report').create([{ text: 'open' }, { text: 'classified', secret: true }])
  await app.models.get('Note').create({ userId: 1, text: 'behind them' })
  await until(() => notes().includes('behind them'), 'what is behind them in the log')
  t.notMatch(reports(), 'data:')
})
