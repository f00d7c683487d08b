import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { makeDeviceCodes } from '#src/server/store/device-codes.ts'
import { failOnce } from '../../attacks/interfere.ts'
import { getCode, getTokens, isActive, redeem, refresh } from '../../flow.ts'
import { addClient, makeApp } from '../../make-app.ts'
import { databases } from './databases.ts'

const many = 20

/** The answers of many requests at once. */
const atOnce = (send: () => Promise<LightMyRequestResponse>): Promise<LightMyRequestResponse[]> =>
  Promise.all(Array.from({ length: many }, send))

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

function onlyOne(t: Test, answers: readonly LightMyRequestResponse[]): Tokens {
  const good = answers.filter(({ statusCode }) => statusCode === 200)
  const bad = answers.filter(({ statusCode }) => statusCode !== 200)
  t.equal(good.length, 1, 'one request gets tokens')
  t.ok(bad.every((answer) => answer.statusCode === 400 && answer.json<{ error: string }>().error === 'invalid_grant'))
  return good[0]?.json<Tokens>() ?? { access_token: '', refresh_token: '' }
}

async function open(t: Test, database: Awaited<ReturnType<typeof databases>>[number]): Promise<FastifyInstance> {
  const { connector, drop } = await database.open()
  t.teardown(drop)
  const app = await makeApp(t, { connector, options: { rateLimit: false } })
  const models = app.models.names().map((name) => app.models.typeOf(name))
  const migrated = models.filter(({ dataSource }) => dataSource !== undefined)
  await connector.migrate?.(migrated, { empty: true })
  await app.ready()
  return app
}

async function oneOfCode(t: Test, app: FastifyInstance): Promise<void> {
  const client = await addClient(app)
  const code = await getCode(app, client.id)
  const tokens = onlyOne(t, await atOnce(() => redeem(app, client, code)))
  t.notOk(await isActive(app, client, tokens.access_token), 'a second use ended what came of the first')
  t.notOk(await isActive(app, client, tokens.refresh_token))
  t.equal(await app.models.get('OAuthAccessToken').count(), 0)
}

async function oneOfRefresh(t: Test, app: FastifyInstance): Promise<void> {
  const client = await addClient(app)
  const first = await getTokens(app, client)
  const tokens = onlyOne(t, await atOnce(() => refresh(app, client, first.refresh_token)))
  for (const token of [first.access_token, tokens.access_token, tokens.refresh_token])
    t.notOk(await isActive(app, client, token), 'the family ended')
  t.equal(await app.models.get('OAuthAccessToken').count(), 0)
}

async function worksAgain(t: Test, app: FastifyInstance): Promise<void> {
  const client = await addClient(app)
  const code = await getCode(app, client.id, { scope: 'read write' })
  failOnce(app, 'OAuthAccessToken')
  t.equal((await redeem(app, client, code)).statusCode, 500)
  const first = (await redeem(app, client, code)).json<Tokens>()
  const narrow = (await refresh(app, client, first.refresh_token, { scope: 'read' })).json<Tokens>()
  t.match((await refresh(app, client, narrow.refresh_token)).json(), { scope: 'read write' })
  const devices = makeDeviceCodes(app.oauth2.states)
  const { deviceCode, userCode } = await devices.start({ clientId: client.id, scopes: [], resources: [] })
  const row = await devices.findByUserCode(userCode)
  if (row !== undefined)
    await devices.change(row, 'new', 'allowed', { userId: 'u1', marks: await devices.marks(row, 'u1') })
  t.match(await devices.findByDeviceCode(deviceCode), { state: 'allowed' })
  await app.oauth2.revokeUser('u1')
  t.equal(await devices.findByDeviceCode(deviceCode), undefined)
  t.equal(await app.models.get('OAuthAccessToken').count(), 0)
}

async function oneAnswer(t: Test, app: FastifyInstance): Promise<void> {
  const { states } = app.oauth2
  await states.add('question', 'one', {}, new Date(Date.now() + 60_000))
  const wins = await Promise.all(Array.from({ length: many }, () => states.change('question', 'one', 'new', 'done')))
  t.equal(wins.filter(Boolean).length, 1)
  const added = await Promise.all(
    Array.from({ length: many }, () => states.add('jti', 'once', {}, new Date(Date.now() + 60_000)))
  )
  t.equal(added.filter(Boolean).length, 1)
}

async function oneAfterOther(t: Test, app: FastifyInstance): Promise<void> {
  const client = await addClient(app)
  const code = await getCode(app, client.id)
  const first = (await redeem(app, client, code)).json<Tokens>()
  t.ok(await isActive(app, client, first.access_token))
  t.equal((await redeem(app, client, code)).statusCode, 400)
  t.notOk(await isActive(app, client, first.access_token))
}

for (const database of await databases()) {
  const { name, skip } = database
  // One application for all of them: tables are made once, and each leaves no token.
  t.test(name, { skip }, async (t) => {
    const app = await open(t, database)
    await t.test(`${name}: of 20 requests with one code one gets tokens, and they end`, (inner) =>
      oneOfCode(inner, app)
    )
    await t.test(`${name}: of 20 requests with one refresh token one gets tokens, and they end`, (inner) =>
      oneOfRefresh(inner, app)
    )
    // Code that observes tokens is there from here on, which reads them in another way.
    await t.test(`${name}: what was used up for nothing works again, and keeps what was granted`, (inner) =>
      worksAgain(inner, app)
    )
    await t.test(`${name}: of 20 answers to one question one counts`, (inner) => oneAnswer(inner, app))
    await t.test(
      `${name}: used one after the other, only the first works and its tokens end with the second`,
      (inner) => oneAfterOther(inner, app)
    )
  })
}
