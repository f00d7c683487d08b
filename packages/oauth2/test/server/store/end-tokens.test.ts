import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { users } from '@modelwire/users'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { oauth2 } from '#src/index.ts'
import { getTokens, isActive, refresh } from '../../flow.ts'
import { addClient, makeApp, post, basic } from '../../make-app.ts'

const customer = { name: 'Customer', base: 'User', public: true, saltWorkFactor: 4 }

/** Customers with tokens of a password grant. */
async function start(t: Test) {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() } })
  await app.register(acl)
  await app.register(users)
  app.models.define(customer)
  app.models.attach('Customer', 'db')
  await app.register(oauth2, {
    issuer: 'https://as.example',
    session: { secret: 'a secret of tests that is long enough' },
    supportedGrantTypes: ['resourceOwnerPasswordCredentials', 'refreshToken']
  })
  const client = await addClient(app)
  const customers = app.models.get('Customer')
  const login = async (email: string) => {
    const user = await customers.create({ email, password: 'secret' })
    const form = { grant_type: 'password', username: email, password: 'secret' }
    const tokens = (await post(app, '/oauth/token', form, basic(client))).json<Tokens>()
    return { user, tokens }
  }
  return { app, client, login }
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

async function isAlive(app: FastifyInstance, client: { id: string; secret: string }, tokens: Tokens) {
  const access = await isActive(app, client, tokens.access_token)
  const refreshed = await refresh(app, client, tokens.refresh_token)
  return [access, refreshed.statusCode === 200]
}

t.test('a new password ends the tokens of its user, and of nobody else', async (t) => {
  const { app, client, login } = await start(t)
  const [ann, bob] = [await login('ann@shop.org'), await login('bob@shop.org')]
  await ann.user.updateAttributes({ password: 'another' })
  t.strictSame(await isAlive(app, client, ann.tokens), [false, false])
  t.strictSame(await isAlive(app, client, bob.tokens), [true, true])
})

t.test('another property, or the option preserveAccessTokens, ends none', async (t) => {
  const { app, client, login } = await start(t)
  const ann = await login('ann@shop.org')
  await ann.user.updateAttributes({ username: 'ann' })
  await ann.user.updateAttributes({ password: 'another' }, { preserveAccessTokens: true })
  t.strictSame(await isAlive(app, client, ann.tokens), [true, true])
})

t.test('a permission that is deleted ends what was given by it', async (t) => {
  const app = await makeApp(t)
  const [shop, other] = [await addClient(app), await addClient(app, { name: 'Other' })]
  const tokens = [await getTokens(app, shop), await getTokens(app, other)] as const
  await app.models.get('OAuthPermission').destroyAll({ appId: shop.id })
  t.strictSame(await isAlive(app, shop, tokens[0]), [false, false])
  t.strictSame(await isAlive(app, other, tokens[1]), [true, true])
})

t.test('so does one that is deleted by its id', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const tokens = await getTokens(app, client)
  const permissions = app.models.get('OAuthPermission')
  await (await permissions.findOne())?.destroy()
  t.strictSame(await isAlive(app, client, tokens), [false, false])
})
