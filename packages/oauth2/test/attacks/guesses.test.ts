import t, { type Test } from 'tap'
import Fastify, { type FastifyInstance } from 'fastify'
import { logIn } from '../flow.ts'
import { addClient, basic, makeApp, post } from '../make-app.ts'
import { fieldOf } from '../pages/page-app.ts'

async function times<T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  for (let index = 0; index < count; index++) answers.push(await run(index))
  return answers
}

async function makeGuessed(t: Test): Promise<{ app: FastifyInstance; client: { id: string; secret: string } }> {
  const app = await makeApp(t, {
    server: Fastify({ trustProxy: true }),
    options: { supportedGrantTypes: ['authorizationCode', 'resourceOwnerPasswordCredentials', 'deviceCode'] }
  })
  return { app, client: await addClient(app) }
}

const ask = (app: FastifyInstance, client: { id: string; secret: string }, password: string) =>
  post(app, '/oauth/token', { grant_type: 'password', username: 'bob', password }, basic(client))

t.test('a password is not guessed at the token endpoint', async (t) => {
  const { app, client } = await makeGuessed(t)
  const wrong = await times(10, () => ask(app, client, 'wrong'))
  t.ok(wrong.every(({ statusCode }) => statusCode === 400))
  const answer = await ask(app, client, 'secret-bob')
  t.equal(answer.statusCode, 429)
  t.ok(Number(answer.headers['retry-after']) > 0)
})

t.test('nor at the login page afterwards: both count together', async (t) => {
  const { app, client } = await makeGuessed(t)
  await times(10, () => ask(app, client, 'wrong'))
  const browser = await logIn(app)
  t.equal((await browser.get('/device')).statusCode, 302, 'no user is signed in')
})

t.test('a secret is not guessed from one address, and a right one is used as often as wanted', async (t) => {
  const { app, client } = await makeGuessed(t)
  const introspect = (secret: string) =>
    post(app, '/oauth/introspect', { token: 'x' }, basic({ id: client.id, secret }))
  const first = await Promise.all(Array.from({ length: 30 }, () => introspect(client.secret)))
  t.ok(first.every(({ statusCode }) => statusCode === 200))
  await times(20, () => introspect('wrong'))
  t.equal((await introspect(client.secret)).statusCode, 429)
})

t.test('somebody who is signed in does not guess codes of devices from many addresses', async (t) => {
  const { app } = await makeGuessed(t)
  const browser = await logIn(app)
  const page = await browser.get('/device')
  const form = { csrf_token: fieldOf(page.body, 'csrf_token'), user_code: 'BCDF-GHJK' }
  const answers = await times(12, (index) =>
    browser.post('/device', form, { 'x-forwarded-for': `198.51.100.${index}` })
  )
  t.strictSame(
    answers.map(({ statusCode }) => statusCode),
    [...Array.from({ length: 10 }, () => 400), 429, 429]
  )
})
