import t from 'tap'
import type { ResetRequest } from '#src/index.ts'
import { ask, codeOf, enter, makeApp } from '../make-app.ts'

const logIn = (app: Parameters<typeof ask>[0], password: string) =>
  ask(app, 'POST', '/Customers/login', { email: 'ann@shop.org', password })

for (const [method, url] of [
  ['PATCH', '/Customers/ID'],
  ['PUT', '/Customers/ID'],
  ['POST', '/Customers/ID/replace']
] as const)
  t.test(`a session sets no new password by ${method} ${url}`, async (t) => {
    const app = await makeApp(t)
    const ann = await enter(app, 'ann@shop.org')
    const answer = await ann.ask(method, url.replace('ID', String(ann.id)), {
      email: 'ann@shop.org',
      password: 'of-a-thief'
    })
    t.equal(codeOf(answer), 'PASSWORD_CHANGE_NOT_ALLOWED')
    t.equal((await logIn(app, 'secret')).statusCode, 200)
  })

t.test('nor by the method for a reset', async (t) => {
  const app = await makeApp(t)
  const ann = await enter(app, 'ann@shop.org')
  const answer = await ann.ask('POST', '/Customers/reset-password', { newPassword: 'of-a-thief' })
  t.equal(answer.statusCode, 401)
  t.equal((await logIn(app, 'secret')).statusCode, 200)
})

t.test('who knows the old password sets a new one', async (t) => {
  const app = await makeApp(t)
  const ann = await enter(app, 'ann@shop.org')
  const passwords = { oldPassword: 'secret', newPassword: 'another' }
  t.equal((await ann.ask('POST', '/Customers/change-password', passwords)).statusCode, 204)
  t.equal((await logIn(app, 'another')).statusCode, 200)
})

t.test('so does the token of a reset, which is good for nothing else', async (t) => {
  const requests: ResetRequest[] = []
  const app = await makeApp(t, { users: { onResetRequest: (request) => requests.push(request) } })
  const ann = await enter(app, 'ann@shop.org')
  await ask(app, 'POST', '/Customers/reset', { email: 'ann@shop.org' })
  const authorization = String(requests[0]?.accessToken['id'])
  const send = (method: 'GET' | 'POST', path: string, payload?: object) =>
    app.inject({ method, url: `/api/Customers${path}`, headers: { authorization }, ...(payload && { payload }) })
  t.equal((await send('GET', `/${ann.id}`)).statusCode, 401)
  t.equal((await send('POST', '/reset-password', { newPassword: 'another' })).statusCode, 204)
  t.equal((await logIn(app, 'another')).statusCode, 200)
})

t.test('code of the application sets passwords', async (t) => {
  const app = await makeApp(t)
  const ann = await enter(app, 'ann@shop.org')
  const stored = await app.models.get('Customer').findById(ann.id)
  await stored?.updateAttributes({ password: 'another' })
  t.equal((await logIn(app, 'another')).statusCode, 200)
})

t.test('a model may leave it to sessions, as LoopBack does; the start tells it', async (t) => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const { default: Fastify } = await import('fastify')
  const app = await makeApp(t, {
    server: Fastify({ logger: { stream } }),
    customer: { restrictResetPasswordTokenScope: false, rejectPasswordChangesViaPatchOrReplace: false }
  })
  const ann = await enter(app, 'ann@shop.org')
  t.equal((await ann.ask('PATCH', `/Customers/${ann.id}`, { password: 'another' })).statusCode, 200)
  t.equal((await ann.ask('POST', '/Customers/reset-password', { newPassword: 'third' })).statusCode, 204)
  t.equal((await logIn(app, 'third')).statusCode, 200)
  const told = lines.filter((line) => line.includes('without the old one'))
  t.equal(told.length, 1)
  t.match(told[0], /Customer.*restrictResetPasswordTokenScope and rejectPasswordChangesViaPatchOrReplace/)
})
