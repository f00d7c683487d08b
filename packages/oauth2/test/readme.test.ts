import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastifyView from '@fastify/view'
import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { accessTokenModel, userModel, users } from '@modelwire/users'
import { Eta } from 'eta'
import Fastify from 'fastify'
import t from 'tap'
import { oauth2 } from '#src/index.ts'
import { permit } from './flow.ts'
import { makeApp } from './make-app.ts'
import { fieldOf, makeBrowser } from './pages/page-app.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

t.test('the smallest example signs a user in and gives a code to its client', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [userModel(), accessTokenModel] })
  await app.register(acl)
  await app.register(users)
  await app.register(oauth2, {
    issuer: 'https://id.example.com',
    session: { secret: 'what the environment of the README holds' },
    keys: {}
  })
  const redirectUris = ['https://shop.example.com/callback']
  const { client, secret } = await app.oauth2.clients.create({ name: 'Shop', redirectUris })
  t.ok(secret)
  await app.models.get('User').create({ email: 'ann@example.com', password: 'right-horse' })
  const browser = makeBrowser(app)
  await browser.logIn({ username: 'ann@example.com', password: 'right-horse' })
  const back = await permit(browser, client.id, { redirect_uri: redirectUris[0], scope: 'openid' })
  t.ok(back.searchParams.get('code'))
  for (const name of ['openid-configuration', 'oauth-authorization-server'])
    t.equal((await app.inject(`/.well-known/${name}`)).statusCode, 200)
})

t.test('the view of a login page signs in', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'oauth2-views-'))
  t.teardown(() => rmSync(root, { recursive: true }))
  const [, view = ''] = /^```html\n([^]*?)^```$/m.exec(readme) ?? []
  writeFileSync(join(root, 'sign-in.eta'), view)
  const server = Fastify()
  await server.register(fastifyView, { engine: { eta: new Eta() }, root, viewExt: 'eta' })
  const app = await makeApp(t, { server, options: { pages: { name: 'Shop', views: { login: 'sign-in' } } } })
  const browser = makeBrowser(app)
  const page = await browser.get('/login?return_to=%2Fdevice')
  const hidden = { csrf_token: fieldOf(page.body, 'csrf_token'), return_to: fieldOf(page.body, 'return_to') }
  const wrong = await browser.post('/login', { ...hidden, username: 'bob"', password: 'x' })
  t.equal(wrong.statusCode, 401)
  t.match(wrong.body, /<p role="alert">Wrong user name or password[^]*value="bob&quot;"/)
  const right = await browser.post('/login', { ...hidden, username: 'bob', password: 'secret-bob' })
  t.equal(right.headers.location, '/device')
})
