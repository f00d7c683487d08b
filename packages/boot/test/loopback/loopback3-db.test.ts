import { readFile } from 'node:fs/promises'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { bootApp } from '../make-app.ts'

// What LoopBack 3.28 stored, and the script that let it.
const fixture = new URL('../../test/fixtures/loopback3-db/', import.meta.url)
const read = (name: string): Promise<string> => readFile(new URL(name, fixture), 'utf8')

interface Stored {
  readonly models: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const stored = { dataSource: 'db', public: false }

/** An application that is opened on that file. */
async function open(t: Test): Promise<FastifyInstance> {
  return bootApp(t, {
    'db.json': await read('db.json'),
    'common/models/person.json': await read('models/person.json'),
    'common/models/person-token.json': await read('models/person-token.json'),
    'common/models/thing.json': await read('models/thing.json'),
    'server/datasources.json': { db: { connector: 'memory', file: 'db.json' } },
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      PersonToken: stored,
      Role: stored,
      RoleMapping: stored,
      ACL: stored,
      Person: { dataSource: 'db', public: true },
      Thing: { dataSource: 'db', public: true }
    },
    'server/middleware.json': {
      auth: { 'loopback#token': { params: { model: 'PersonToken' } } },
      routes: { 'loopback#rest': { paths: ['/api'] } }
    },
    'server/boot/auth.js': 'module.exports = (app) => app.enableAuth()'
  })
}

interface Token {
  readonly id: string
  readonly ttl: number
  readonly userId: number
}

/** The token that was stored for a user with this life. */
async function tokenOf(userId: number, ttl: number): Promise<string> {
  // The fixture is such a file.
  const { models } = JSON.parse(await read('db.json')) as Stored
  const tokens = Object.values(models['PersonToken'] ?? {}).map((text) => JSON.parse(text) as Token) // as above
  return tokens.find((token) => token.userId === userId && token.ttl === ttl)?.id ?? ''
}

const ask = (
  app: FastifyInstance,
  token: string,
  url: string,
  more: InjectOptions = {}
): Promise<LightMyRequestResponse> => app.inject({ url, headers: { authorization: token }, ...more })

void t.test('people who were logged in with LoopBack stay logged in', async (t) => {
  const app = await open(t)
  const [ann, bob] = [await tokenOf(1, -1), await tokenOf(2, -1)]
  t.match((await ask(app, ann, '/api/people/1')).json(), { id: 1, email: 'ann@shop.org', username: 'ann' })
  t.equal((await ask(app, ann, '/api/people/2')).statusCode, 401)
  t.match((await ask(app, bob, '/api/people/2')).json(), { id: 2, email: 'bob@shop.org' })
  t.equal((await app.inject('/api/people/1')).statusCode, 401)
})

void t.test('their passwords work, and nothing else does', async (t) => {
  const app = await open(t)
  const login = (payload: object) => app.inject({ method: 'POST', url: '/api/people/login', payload })
  const answer = await login({ email: 'ann@shop.org', password: 'secret of ann' })
  t.match(answer.json(), { userId: 1, ttl: 1_209_600 })
  t.equal((await ask(app, answer.json<Token>().id, '/api/people/1')).statusCode, 200)
  t.equal((await login({ username: 'ann', password: 'secret of ann' })).statusCode, 200)
  t.equal((await login({ email: 'bob@shop.org', password: 'secret of ann' })).statusCode, 401)
})

void t.test('their roles and stored rules hold', async (t) => {
  const app = await open(t)
  const [ann, bob] = [await tokenOf(1, -1), await tokenOf(2, -1)]
  t.match((await ask(app, ann, '/api/Things')).json(), [{ label: 'lamp', personId: 1 }])
  t.equal((await ask(app, bob, '/api/Things')).statusCode, 401)
  t.equal((await app.inject('/api/Things')).statusCode, 401)
})

void t.test('tokens that had expired or are meant for a reset stay what they were', async (t) => {
  const app = await open(t)
  t.equal(
    (await ask(app, await tokenOf(2, 10), '/api/people/2')).json<{ error: { code: string } }>().error.code,
    'INVALID_TOKEN'
  )
  t.equal((await ask(app, await tokenOf(1, 315_569_260), '/api/people/1')).statusCode, 401)
})

void t.test('a logout ends a token that LoopBack made, and new records get new ids', async (t) => {
  const app = await open(t)
  const ann = await tokenOf(1, -1)
  t.equal((await ask(app, ann, '/api/people/logout', { method: 'POST' })).statusCode, 204)
  t.equal((await ask(app, ann, '/api/people/1')).statusCode, 401)
  const payload = { email: 'cid@shop.org', password: 'secret' }
  t.equal((await app.inject({ method: 'POST', url: '/api/people', payload })).json<{ id: number }>().id, 3)
})
