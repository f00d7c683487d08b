import t from 'tap'
import type { ResetRequest } from '#src/index.ts'
import { ask, codeOf, enter, makeApp } from './make-app.ts'

void t.test('a user signs up, logs in and reads the own account', async (t) => {
  const app = await makeApp(t)
  const ann = await enter(app, 'ann@shop.org', { nick: 'Ann' })
  const answer = await ann.ask('GET', `/Customers/${ann.id}`)
  t.strictSame(answer.json(), { nick: 'Ann', email: 'ann@shop.org', id: ann.id })
  t.match(ann.token, /^[A-Za-z0-9]{64}$/)
})

void t.test('passwords are stored as bcrypt hashes of the cost that the model asks for', async (t) => {
  const app = await makeApp(t)
  await enter(app, 'ann@shop.org')
  t.match((await app.models.get('Customer').findOne())?.['password'], /^\$2a\$04\$/)
})

void t.test('hashes that the application imports are stored as they are', async (t) => {
  const app = await makeApp(t)
  const { modelClass } = app.models.typeOf('Customer')
  await enter(app, 'ann@shop.org')
  const hashed = (await app.models.get('Customer').findOne())?.['password']
  await modelClass.create({ email: 'bob@shop.org', password: hashed })
  t.equal((await ask(app, 'POST', '/Customers/login', { email: 'bob@shop.org', password: 'secret' })).statusCode, 200)
})

void t.test('the literal stands for the caller', async (t) => {
  const app = await makeApp(t, { users: { tokens: { currentUserLiteral: 'me' } } })
  const ann = await enter(app, 'ann@shop.org')
  t.equal((await ann.ask('GET', '/Customers/me')).json<{ id: number }>().id, ann.id)
  t.equal((await ask(app, 'GET', '/Customers/me')).statusCode, 401)
})

void t.test('a reset hands a token to the application, which sets a password once', async (t) => {
  const requests: ResetRequest[] = []
  const app = await makeApp(t, {
    customer: { restrictResetPasswordTokenScope: true },
    users: { onResetRequest: (request) => requests.push(request) }
  })
  const ann = await enter(app, 'ann@shop.org')
  t.equal((await ask(app, 'POST', '/Customers/reset', { email: 'ann@shop.org' })).statusCode, 204)
  const headers = { authorization: String(requests[0]?.accessToken['id']) }
  t.equal((await app.inject({ url: `/api/Customers/${ann.id}`, headers })).statusCode, 401, 'it is for a reset alone')
  const set = () =>
    app.inject({ method: 'POST', url: '/api/Customers/reset-password', headers, payload: { newPassword: 'fresh' } })
  t.strictSame([(await set()).statusCode, (await set()).statusCode], [204, 401])
  t.equal((await ask(app, 'POST', '/Customers/login', { email: 'ann@shop.org', password: 'fresh' })).statusCode, 200)
})

void t.test('verify sends a link that confirms the address', async (t) => {
  const sent: { to: string; text: string }[] = []
  const app = await makeApp(t, {
    customer: { emailVerificationRequired: true },
    users: { sendMail: async (message) => sent.push(message) }
  })
  const { id } = (await ask(app, 'POST', '/Customers', { email: 'ann@shop.org', password: 'secret' })).json<{
    id: number
  }>()
  const login = () => ask(app, 'POST', '/Customers/login', { email: 'ann@shop.org', password: 'secret' })
  t.equal(codeOf(await login()), 'LOGIN_FAILED_EMAIL_NOT_VERIFIED')
  t.equal((await ask(app, 'POST', `/Customers/${id}/verify`)).statusCode, 204)
  t.equal(sent[0]?.to, 'ann@shop.org')
  const link = /http\S+/.exec(sent[0]?.text ?? '')?.[0] ?? ''
  const { pathname, search } = new URL(link)
  const confirmed = await app.inject(pathname + search)
  t.strictSame([confirmed.statusCode, confirmed.headers.location], [302, '/'])
  t.equal((await login()).statusCode, 200)
})

void t.test('verify says when nothing sends mail', async (t) => {
  const app = await makeApp(t)
  const ann = await enter(app, 'ann@shop.org')
  t.equal((await ask(app, 'POST', `/Customers/${ann.id}/verify`)).statusCode, 501)
})

void t.test('code of the application asks for the password of a record', async (t) => {
  const app = await makeApp(t)
  await enter(app, 'ann@shop.org')
  const user = await app.models.get('Customer').findOne()
  const hasPassword: unknown = Reflect.get(user ?? {}, 'hasPassword')
  if (typeof hasPassword !== 'function') return t.fail('records have no hasPassword')
  return t.strictSame(
    await Promise.all(
      ['secret', 'wrong'].map(async (text): Promise<unknown> => Reflect.apply(hasPassword, user, [text]))
    ),
    [true, false]
  )
})
