import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { type ModelDefinition, modelwire } from '@modelwire/core'
import { accessTokenModel, userModel, users } from '@modelwire/users'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { oauth2, type OAuth2Options } from '#src/index.ts'
import { authorizeUrl } from '../flow.ts'
import { callback } from '../make-app.ts'
import { makeBrowser } from './page-app.ts'

/** A server whose users are those of `@modelwire/users`. */
async function start(t: Test, settings: Partial<ModelDefinition> = {}, options: OAuth2Options = {}) {
  const app = Fastify()
  t.teardown(() => app.close())
  const models = [{ ...userModel(), ...settings }, accessTokenModel]
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  await app.register(acl)
  await app.register(users)
  await app.register(oauth2, {
    issuer: 'https://as.example',
    scopes: ['read'],
    session: { secret: 'a secret of tests that is long enough' },
    ...options
  })
  const ann = await app.models.get('User').create({ username: 'ann', email: 'Ann@shop.org', password: 'right-horse' })
  const { client } = await app.oauth2.clients.create({ name: 'Shop', redirectUris: [callback] })
  const browser = makeBrowser(app)
  const isSignedIn = async () => (await browser.get(authorizeUrl(client.id))).statusCode === 200
  const logIn = async (username: string, password = 'right-horse') =>
    (await browser.logIn({ username, password })).statusCode
  return { app, ann, browser, isSignedIn, logIn }
}

t.test('users log in by name or address', async (t) => {
  const { logIn, isSignedIn } = await start(t)
  t.equal(await logIn('ann', 'wrong'), 401)
  t.equal(await logIn('bob'), 401)
  t.notOk(await isSignedIn())
  t.equal(await logIn('ann'), 302)
  t.ok(await isSignedIn())
  t.equal(await logIn('Ann@shop.org'), 302)
})

t.test('addresses are compared as the model of users says', async (t) => {
  const { logIn } = await start(t, { caseSensitiveEmail: false })
  t.equal(await logIn('ANN@SHOP.ORG'), 302)
})

t.test('an own account that is called like the address of another gives no more attempts at that', async (t) => {
  const { app, logIn } = await start(t)
  await app.models.get('User').create({ username: 'Ann@shop.org', email: 'eve@shop.org', password: 'own-horse' })
  const statuses: number[] = []
  for (let round = 0; round < 4; round++) {
    await logIn('Ann@shop.org', 'own-horse')
    for (let guess = 0; guess < 3; guess++) statuses.push(await logIn('Ann@shop.org', 'wrong'))
  }
  t.strictSame(statuses, [...Array.from({ length: 10 }, () => 401), 429, 429])
})

t.test('users of a realm log in there', async (t) => {
  const { app, logIn } = await start(t, { realmRequired: true, realmDelimiter: ':' })
  const bob = { username: 'bob', email: 'bob@shop.org', password: 'right-horse' }
  await app.models.get('User').create({ ...bob, realm: 'north' })
  await app.models.get('User').create({ ...bob, email: 'bob@other.org', realm: 'south', password: 'south-horse' })
  t.equal(await logIn('south:bob', 'south-horse'), 302)
  t.equal(await logIn('south:bob', 'right-horse'), 401)
  t.equal(await logIn('north:bob', 'right-horse'), 302)
  t.equal(await logIn('bob', 'right-horse'), 401)
})

t.test('a login by the form makes no token of the API', async (t) => {
  const { app, logIn } = await start(t)
  await logIn('ann')
  t.equal(await app.models.get('AccessToken').count(), 0)
})

t.test('a new password ends the session', async (t) => {
  const { app, ann, logIn, isSignedIn } = await start(t)
  await logIn('ann')
  t.ok(await isSignedIn())
  await app.models.get('User').updateAll({ id: ann['id'] }, { password: 'other-horse' })
  t.notOk(await isSignedIn())
  t.equal(await logIn('ann'), 401)
  t.equal(await logIn('ann', 'other-horse'), 302)
})

t.test('the end of the account ends the session', async (t) => {
  const { app, ann, logIn, isSignedIn } = await start(t)
  await logIn('ann')
  await app.models.get('User').destroyById(ann['id'] as number)
  t.notOk(await isSignedIn())
})

t.test('an address that was never confirmed does not log in where that is needed', async (t) => {
  const { app, ann, logIn } = await start(t, { emailVerificationRequired: true })
  t.equal(await logIn('ann'), 401)
  await app.models.get('User').updateAll({ id: ann['id'] }, { emailVerified: true })
  t.equal(await logIn('ann'), 302)
})

t.test('names are looked for as texts: an operator in a form finds nobody', async (t) => {
  const { browser } = await start(t)
  for (const fields of ['username[like]=%25&password=right-horse', 'username=ann&password[neq]=x'])
    t.equal((await browser.post('/login', fields)).statusCode, 400)
})

t.test('logins by the form are limited like those of the API', async (t) => {
  const { logIn } = await start(t, {}, { rateLimit: { max: 3 } })
  for (let count = 0; count < 3; count++) t.equal(await logIn('ann', 'wrong'), 401)
  t.equal(await logIn('ann'), 429)
})

t.test('all sessions of a user end at once, and a new login counts', async (t) => {
  const { app, logIn, isSignedIn } = await start(t)
  await logIn('ann')
  await app.oauth2.sessions?.signOutEverywhere(2)
  t.ok(await isSignedIn())
  await app.oauth2.sessions?.signOutEverywhere(1)
  await app.oauth2.sessions?.signOutEverywhere(1)
  t.notOk(await isSignedIn())
  await logIn('ann')
  t.ok(await isSignedIn())
})

t.test("an application's own login signs its users in and out", async (t) => {
  const { app, browser, isSignedIn } = await start(t)
  app.get('/sso', async (request, reply) => {
    await app.oauth2.sessions?.signIn(request, reply, { id: 1 })
    return 'in'
  })
  app.get('/sso/out', async (request, reply) => {
    await app.oauth2.sessions?.signOut(request, reply)
    return 'out'
  })
  await browser.get('/sso')
  t.ok(await isSignedIn())
  await browser.get('/sso/out')
  t.notOk(await isSignedIn())
})
