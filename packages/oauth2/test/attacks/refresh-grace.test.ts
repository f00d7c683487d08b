import { makeMemoryStore } from '@modelwire/connector-tests'
import { until } from '@modelwire/test-waits'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { getTokens, isActive, refresh } from '../flow.ts'
import { addClient, type AppParts, makeApp } from '../make-app.ts'
import { databases, type TestDatabase } from '../server/store/databases.ts'
import { once } from './interfere.ts'

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
}

type Client = { readonly id: string; readonly secret: string }
const options = { refreshTokenGrace: 30, rateLimit: false } as const

async function sameForAll(t: Test, apps: readonly FastifyInstance[], client: Client, token: string): Promise<Tokens> {
  const requests = Array.from({ length: 12 }, (_, index) => apps[index % apps.length])
  const answers = await Promise.all(requests.flatMap((app) => (app === undefined ? [] : [refresh(app, client, token)])))
  t.same(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200]))
  const tokens = answers.map((answer) => answer.json<Tokens>())
  t.equal(new Set(tokens.map(({ access_token, refresh_token }) => `${access_token} ${refresh_token}`)).size, 1)
  const [first] = tokens
  if (first === undefined) throw new Error('there is no answer')
  return first
}

/** Two processes of one application on a database that processes can share. */
async function open(t: Test, database: TestDatabase, more: Pick<AppParts, 'sharedState'> = {}) {
  const { connector, drop } = await database.open()
  t.teardown(drop)
  const count = database.name === 'memory' ? 1 : 2
  const apps = await Promise.all(Array.from({ length: count }, () => makeApp(t, { connector, options, ...more })))
  const [app] = apps
  const models = app?.models.names().map((name) => app.models.typeOf(name)) ?? []
  await connector.migrate?.(
    models.filter(({ dataSource }) => dataSource !== undefined),
    { empty: true }
  )
  return apps
}

const all = await databases()
for (const database of all)
  t.test(`${database.name}: requests at once get the same tokens`, { skip: database.skip }, async (t) => {
    const apps = await open(t, database)
    const [app] = apps
    if (app === undefined) return
    const client = await addClient(app)
    const first = await getTokens(app, client)
    const second = await sameForAll(t, apps, client, first.refresh_token)
    const third = await sameForAll(t, apps, client, second.refresh_token)
    t.ok(await isActive(app, client, third.access_token))
    t.equal(await app.models.get('OAuthAccessToken').count(), 3)
    const rows = JSON.stringify(await app.models.get('OAuthState').find())
    t.match(rows, 'refreshed')
    for (const token of [second, third]) t.notMatch(rows, token.refresh_token, 'no token is stored')
  })

t.test('a shared state that keeps facts keeps these as well', async (t) => {
  const sqlite = all.find(({ name }) => name === 'sqlite')
  const apps = sqlite === undefined ? [] : await open(t, sqlite, { sharedState: makeMemoryStore().store })
  const [app] = apps
  if (app === undefined) return
  const client = await addClient(app, { type: 'public' })
  await sameForAll(t, apps, client, (await getTokens(app, client)).refresh_token)
  t.equal(await app.models.get('OAuthState').count({ kind: 'refreshed' }), 0)
})

t.test('attack: another client never gets the tokens of a refresh token that was used just now', async (t) => {
  const app = await makeApp(t, { options })
  const client = await addClient(app)
  const first = await getTokens(app, client)
  const second = (await refresh(app, client, first.refresh_token)).json<Tokens>()
  for (const other of [await addClient(app), await addClient(app, { type: 'public' })])
    t.match((await refresh(app, other, first.refresh_token)).json(), { error: 'invalid_grant' })
  t.ok(await isActive(app, client, second.access_token), 'nor does it end them')
})

t.test('attack: after the time a second use ends the family', async (t) => {
  const app = await makeApp(t, { options: { ...options, refreshTokenGrace: 0.2 } })
  const client = await addClient(app)
  const first = await getTokens(app, client)
  const second = (await refresh(app, client, first.refresh_token)).json<Tokens>()
  const isOver = async () => (await app.oauth2.states.read('refreshed', first.refresh_token)) === undefined
  await until(isOver, 'the time after the use to end')
  t.match((await refresh(app, client, first.refresh_token)).json(), { error: 'invalid_grant' })
  t.notOk(await isActive(app, client, second.access_token))
  t.match((await refresh(app, client, second.refresh_token)).json(), { error: 'invalid_grant' })
})

t.test('attack: a family that was revoked gives nothing again', async (t) => {
  const app = await makeApp(t, { options })
  const client = await addClient(app)
  const first = await getTokens(app, client)
  await refresh(app, client, first.refresh_token)
  await app.oauth2.revokeUser('u1')
  t.match((await refresh(app, client, first.refresh_token)).json(), { error: 'invalid_grant' })
})

t.test('another scope is not what was given, and no theft', async (t) => {
  const app = await makeApp(t, { options })
  const client = await addClient(app)
  const first = await getTokens(app, client, { scope: 'read write' })
  const second = (await refresh(app, client, first.refresh_token, { scope: 'read' })).json<Tokens>()
  t.match((await refresh(app, client, first.refresh_token)).json(), { error: 'invalid_grant' })
  const again = (await refresh(app, client, first.refresh_token, { scope: 'read' })).json<Tokens>()
  t.match(again, { access_token: second.access_token, scope: 'read' })
  t.ok(again.expires_in <= second.expires_in)
})

t.test('who waits for tokens that cannot be made gets its own', async (t) => {
  const app = await makeApp(t, { options })
  const client = await addClient(app)
  const first = await getTokens(app, client)
  let waiting: ReturnType<typeof refresh> | undefined
  once(app, 'OAuthAccessToken', async () => {
    waiting = refresh(app, client, first.refresh_token)
    await Promise.reject(new Error('the disk is full'))
  })
  t.equal((await refresh(app, client, first.refresh_token)).statusCode, 500)
  t.equal((await waiting)?.statusCode, 200)
})
