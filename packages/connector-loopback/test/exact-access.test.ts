import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import { type ModelDefinition, modelwire } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { loopback } from '#src/loopback.ts'
import { loadModule } from './load-module.ts'

const id = { type: 'string', id: true, generated: false } as const
const acls = [
  { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
  { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', rows: '$owner' }
] as never[]
const user = { type: 'belongsTo', model: 'User', foreignKey: 'userId' } as const
const models: readonly ModelDefinition[] = [
  { name: 'User', dataSource: 'access', properties: { id } },
  {
    name: 'Note',
    dataSource: 'db',
    public: true,
    properties: { id, text: 'string', userId: 'string' },
    relations: { user },
    acls
  }
]

/** Records of MySQL by LoopBack's connector, whose texts are equal in any case and with any spaces behind; the caller is "u". */
async function open(t: Test) {
  const { url, drop } = await createTestDatabase()
  const text = 'varchar(40) character set utf8mb4 collate utf8mb4_general_ci'
  await runOn(url, `create table Note (id ${text} primary key, text ${text}, userId ${text})`)
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    await drop()
  })
  const db = loopback(loadModule('loopback-connector-mysql'), { name: 'db', url })
  await app.register(modelwire, { dataSources: { db, access: memory() }, models })
  await app.register(acl)
  for (const name of ['ACL', 'Role', 'RoleMapping']) app.models.attach(name, 'access')
  app.addHook('onRequest', async (request) => {
    request.principal = { userId: 'u' }
    request.accessToken = request.principal
  })
  await app.register(relations)
  await app.register(rest, { prefix: '/api', sharedMethods: { updateAll: true, deleteAll: true } })
  await app.ready()
  const Note = app.models.get('Note')
  await Note.create(['u', 'U', 'u ', 'ú'].map((userId, at) => ({ id: `n${at}`, text: 'Tea', userId })))
  const send = async (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, payload?: object) => {
    const response = await app.inject({ method, url: `/api/Notes${path}`, ...(payload && { payload }) })
    return { status: response.statusCode, body: response.body === '' ? undefined : (response.json() as unknown) }
  }
  return { send, Note }
}

void t.test('what a caller owns is compared by its characters', { skip: await whyNoServer() }, async (t) => {
  const { send, Note } = await open(t)
  const own = { id: 'n0', text: 'Tea', userId: 'u' }
  t.strictSame((await send('GET', '')).body, [own])
  t.strictSame((await send('GET', '?filter={"where":{"text":"tEA"},"limit":3,"order":"text"}')).body, [own])
  t.strictSame((await send('GET', '/count')).body, { count: 1 })
  for (const other of ['n1', 'n2', 'n3', 'N0', 'n0%20']) {
    t.equal((await send('GET', `/${other}`)).status, 401, other)
    t.equal((await send('PATCH', `/${other}`, { text: 'mine' })).status, 401, other)
    t.equal((await send('DELETE', `/${other}`)).status, 401, other)
  }
  t.strictSame((await send('POST', '/update', { text: 'mine' })).body, { count: 1 })
  t.equal(await Note.count({ text: 'Tea' }), 3)
  t.match(await send('DELETE', '/n0'), { status: 200, body: { count: 1 } })
  t.equal(await Note.count(), 3)
})
