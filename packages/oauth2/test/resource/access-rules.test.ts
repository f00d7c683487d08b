import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import { users } from '@modelwire/users'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { resourceServer } from '#src/index.ts'
import { audience, issuer, makeIssuer } from './issuer.ts'

const rule = (principalType: string, principalId: string, more: object): object => ({
  principalType,
  principalId,
  permission: 'ALLOW',
  ...more
})

const note = {
  name: 'Note',
  public: true,
  properties: { text: 'string', userId: 'number' },
  acls: [
    { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
    rule('SCOPE', 'notes:read', { accessType: 'READ' }),
    rule('APP', 'trusted', { property: 'create' }),
    rule('ROLE', '$owner', { property: 'deleteById' })
  ]
}

async function makeApi(t: Test) {
  const server = await makeIssuer()
  const app: FastifyInstance = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [note] })
  await app.register(relations)
  await app.register(acl)
  await app.register(users)
  await app.register(resourceServer, { issuer, audience, jwks: server.jwks })
  app.resourceServer.authenticate('/api', { optional: true })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, claims?: object): Promise<number> => {
    const headers = claims === undefined ? {} : { authorization: `Bearer ${await server.sign({ ...claims })}` }
    const payload = method === 'POST' ? { payload: { text: 'x', userId: 1 } } : {}
    return (await app.inject({ method, url: `/api${url}`, headers, ...payload })).statusCode
  }
  return { app, ask }
}

void t.test('rules name scopes, clients and owners', async (t) => {
  const { ask } = await makeApi(t)
  t.equal(await ask('GET', '/Notes'), 401, 'nobody')
  t.equal(await ask('GET', '/Notes', { scope: 'notes:read' }), 200)
  t.equal(await ask('GET', '/Notes', { scope: 'notes' }), 401)
  t.equal(await ask('POST', '/Notes', { client_id: 'trusted', scope: '' }), 200)
  t.equal(await ask('POST', '/Notes', { client_id: 'other', scope: 'notes:read' }), 401)
  t.equal(await ask('DELETE', '/Notes/1', { sub: '2' }), 401)
  t.equal(await ask('DELETE', '/Notes/1', { sub: '1' }), 200, 'the id of a token is a text, that of a record a number')
})

void t.test('attack: a client named like a user is not that user', async (t) => {
  const { ask } = await makeApi(t)
  t.equal(await ask('POST', '/Notes', { client_id: 'trusted' }), 200)
  t.equal(await ask('DELETE', '/Notes/1', { sub: '1', client_id: '1' }), 401)
})

void t.test('attack: a token of this kind as one of a login', async (t) => {
  const { app } = await makeApi(t)
  const other = await makeIssuer()
  const token = await other.sign({ sub: '1' })
  for (const request of [
    { url: `/api/Notes?access_token=${token}` },
    { url: '/api/Notes', headers: { authorization: token } },
    { url: '/api/Notes', headers: { 'x-access-token': token } }
  ])
    t.ok([400, 401].includes((await app.inject(request)).statusCode))
})
