import t from 'tap'
import { ask, codeOf, enter, makeApp } from './make-app.ts'

const structures: [string, object, number, string][] = [
  ['an operator as email', { email: { neq: '' }, password: 'secret' }, 400, 'INVALID_EMAIL'],
  ['a list as email', { email: ['ann@shop.org'], password: 'secret' }, 400, 'INVALID_EMAIL'],
  ['a pattern as username', { username: { regexp: '.*' }, password: 'secret' }, 400, 'INVALID_USERNAME'],
  ['an operator as password', { email: 'ann@shop.org', password: { neq: '' } }, 401, 'LOGIN_FAILED'],
  ['no password', { email: 'ann@shop.org' }, 401, 'LOGIN_FAILED'],
  ['an empty password', { email: 'ann@shop.org', password: '' }, 401, 'LOGIN_FAILED'],
  ['the name of nobody', { email: 'nobody@shop.org', password: 'secret' }, 401, 'LOGIN_FAILED'],
  ['a condition beside the email', { and: [{}], email: 'nobody@shop.org', password: 'secret' }, 401, 'LOGIN_FAILED']
]

for (const [what, payload, status, code] of structures) {
  void t.test(`nobody logs in with ${what}`, async (t) => {
    const app = await makeApp(t)
    await enter(app, 'ann@shop.org')
    const answer = await ask(app, 'POST', '/Customers/login', payload)
    t.equal(answer.statusCode, status)
    t.equal(codeOf(answer), code)
  })
}

void t.test('the hash of a password is no password', async (t) => {
  const app = await makeApp(t)
  await enter(app, 'ann@shop.org')
  const stored = await app.models.get('Customer').findOne()
  const login = await ask(app, 'POST', '/Customers/login', { email: 'ann@shop.org', password: stored?.['password'] })
  t.equal(codeOf(login), 'LOGIN_FAILED')
})

void t.test('a hash that a client sends is hashed like any password', async (t) => {
  const app = await makeApp(t)
  const password = '$2a$04$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234'
  await ask(app, 'POST', '/Customers', { email: 'ann@shop.org', password })
  t.not((await app.models.get('Customer').findOne())?.['password'], password)
  t.equal((await ask(app, 'POST', '/Customers/login', { email: 'ann@shop.org', password })).statusCode, 200)
})

const tokenPlaces: [string, string][] = [
  ['a list', '?access_token=TOKEN&access_token=x'],
  ['a structure', '?access_token[id]=TOKEN'],
  ['an empty text', '?access_token=']
]

for (const [what, query] of tokenPlaces) {
  void t.test(`${what} is no token`, async (t) => {
    const app = await makeApp(t)
    const ann = await enter(app, 'ann@shop.org')
    const url = `/Customers/${ann.id}${query.replace('TOKEN', ann.token)}`
    t.equal((await ask(app, 'GET', url)).statusCode, 401)
  })
}

void t.test('a token in the body is not looked at', async (t) => {
  const app = await makeApp(t)
  const ann = await enter(app, 'ann@shop.org')
  const answer = await ask(app, 'PATCH', `/Customers/${ann.id}`, { nick: 'x', access_token: ann.token })
  t.equal(answer.statusCode, 401)
})

void t.test('hidden properties are neither shown nor asked for', async (t) => {
  const app = await makeApp(t)
  const ann = await enter(app, 'ann@shop.org')
  for (const query of [
    '',
    '?filter={"fields":["password","verificationToken","email"]}',
    '?filter={"include":"accessTokens"}'
  ])
    t.notMatch(
      (await ann.ask('GET', `/Customers/${ann.id}${query}`)).body,
      /password|verificationToken|\$2a|accessTokens/
    )
})

const protectedValues: [string, unknown][] = [
  ['emailVerified', true],
  ['verificationToken', 'mine'],
  ['realm', 'admins']
]

for (const [name, value] of protectedValues) {
  void t.test(`nobody sets ${name} of their own account`, async (t) => {
    const app = await makeApp(t)
    const ann = await enter(app, 'ann@shop.org', { [name]: value })
    await ann.ask('PATCH', `/Customers/${ann.id}`, { [name]: value })
    await ann.ask('PUT', `/Customers/${ann.id}`, { email: 'ann@shop.org', password: 'secret', [name]: value })
    const stored = await app.models.get('Customer').findById(ann.id)
    t.not(stored?.[name], value)
  })
}

void t.test('protectAccounts: false lets clients do so, as LoopBack does', async (t) => {
  const app = await makeApp(t, { users: { protectAccounts: false } })
  const ann = await enter(app, 'ann@shop.org')
  await ann.ask('PATCH', `/Customers/${ann.id}`, { emailVerified: true })
  t.equal((await app.models.get('Customer').findById(ann.id))?.['emailVerified'], true)
})

void t.test('a reset answers alike whether there is an account or not', async (t) => {
  const app = await makeApp(t)
  await enter(app, 'ann@shop.org')
  const known = await ask(app, 'POST', '/Customers/reset', { email: 'ann@shop.org' })
  const unknown = await ask(app, 'POST', '/Customers/reset', { email: 'nobody@shop.org' })
  t.strictSame([known.statusCode, known.body], [unknown.statusCode, unknown.body])
  t.strictSame(Object.keys(known.headers), Object.keys(unknown.headers))
})

void t.test('revealAccounts: true tells, as LoopBack does', async (t) => {
  const app = await makeApp(t, { users: { revealAccounts: true } })
  t.equal(codeOf(await ask(app, 'POST', '/Customers/reset', { email: 'nobody@shop.org' })), 'EMAIL_NOT_FOUND')
})

void t.test('attempts to log in are limited', async (t) => {
  const app = await makeApp(t, { users: { rateLimit: { max: 2, timeWindow: 60_000 } } })
  const attempt = () => ask(app, 'POST', '/Customers/login', { email: 'ann@shop.org', password: 'guess' })
  t.strictSame([await attempt(), await attempt(), await attempt()].map(codeOf), [
    'LOGIN_FAILED',
    'LOGIN_FAILED',
    'TOO_MANY_ATTEMPTS'
  ])
})

void t.test('a token ends with a password, an address, an account', async (t) => {
  const app = await makeApp(t, { customer: { rejectPasswordChangesViaPatchOrReplace: false } })
  for (const [index, change] of [{ password: 'fresh' }, { email: 'new@shop.org' }].entries()) {
    const email = `ann${index}@shop.org`
    const ann = await enter(app, email)
    const login = await ask(app, 'POST', '/Customers/login', { email, password: 'secret' })
    const headers = { authorization: login.json<{ id: string }>().id }
    await ann.ask('PATCH', `/Customers/${ann.id}`, change)
    t.equal((await app.inject({ url: `/api/Customers/${ann.id}`, headers })).statusCode, 401)
    t.equal((await ann.ask('GET', `/Customers/${ann.id}`)).statusCode, 200, 'the session that changed it stays')
    await ann.ask('DELETE', `/Customers/${ann.id}`)
    t.equal((await ann.ask('GET', `/Customers/${ann.id}`)).statusCode, 401)
  }
})

void t.test('a token that was logged out or has expired is none', async (t) => {
  const app = await makeApp(t)
  const ann = await enter(app, 'ann@shop.org')
  t.equal((await ann.ask('POST', '/Customers/logout')).statusCode, 204)
  t.equal((await ann.ask('GET', `/Customers/${ann.id}`)).statusCode, 401)
  const tokens = app.models.get('AccessToken')
  const created = new Date(Date.now() - 5000)
  await tokens.create({ id: 'old', ttl: 4, created, userId: ann.id })
  await tokens.create({ id: 'eternal', ttl: -1, userId: ann.id })
  for (const authorization of ['old', 'eternal']) {
    const url = `/api/Customers/${ann.id}`
    t.equal(codeOf(await app.inject({ url, headers: { authorization } })), 'INVALID_TOKEN')
    t.equal(codeOf(await app.inject({ url, headers: { authorization } })), 'AUTHORIZATION_REQUIRED')
  }
})

void t.test('the token of a user of another model says nothing here', async (t) => {
  const app = await makeApp(t)
  const ann = await enter(app, 'ann@shop.org')
  await app.models.get('AccessToken').create({ id: 'other', userId: ann.id, principalType: 'Order' })
  const headers = { authorization: 'other' }
  t.equal((await app.inject({ url: `/api/Customers/${ann.id}`, headers })).statusCode, 401)
  const payload = { newPassword: 'stolen' }
  const answer = await app.inject({ method: 'POST', url: '/api/Customers/reset-password', headers, payload })
  t.equal(answer.statusCode, 403)
})

const ways: [string, string][] = [
  ['GET', '/Orders/1'],
  ['HEAD', '/Orders/1'],
  ['GET', '/Orders/1/exists'],
  ['GET', '/Orders'],
  ['GET', '/Orders/count'],
  ['GET', '/Orders/findOne'],
  ['GET', '/Orders?filter={"where":{"id":1}}'],
  ['PUT', '/Orders/1'],
  ['PATCH', '/Orders/1'],
  ['POST', '/Orders/1/replace'],
  ['POST', '/Orders/update?where={"id":1}'],
  ['POST', '/Orders/upsertWithWhere?where={"id":1}'],
  ['POST', '/Orders/replaceOrCreate'],
  ['DELETE', '/Orders/1'],
  ['GET', '/Customers/1/orders'],
  ['GET', '/Customers/1/orders/1'],
  ['GET', '/Orders/1/customer']
]

for (const [method, url] of ways) {
  void t.test(`a stranger does not reach an order by ${method} ${url}`, async (t) => {
    const app = await makeApp(t)
    const [ann, bob] = [await enter(app, 'ann@shop.org'), await enter(app, 'bob@shop.org')]
    await app.models.get('Order').create({ item: 'cup', customerId: ann.id })
    const payload = /POST|PUT|PATCH/.test(method) ? { id: 1, item: 'stolen' } : undefined
    for (const suffix of ['', `${url.includes('?') ? '&' : '?'}id=2&userId=2`]) {
      t.equal((await bob.ask(method as 'GET', url + suffix, payload)).statusCode, 401)
      t.equal((await ask(app, method as 'GET', url + suffix, payload)).statusCode, 401)
    }
    t.equal((await app.models.get('Order').findById(1))?.['item'], 'cup')
  })
}

void t.test('an owner cannot give a record away', async (t) => {
  const app = await makeApp(t)
  const [ann, bob] = [await enter(app, 'ann@shop.org'), await enter(app, 'bob@shop.org')]
  await app.models.get('Order').create({ item: 'cup', customerId: ann.id })
  t.equal((await ann.ask('PATCH', '/Orders/1', { item: 'pan' })).statusCode, 200)
  for (const method of ['PATCH', 'PUT'] as const)
    t.equal((await ann.ask(method, '/Orders/1', { item: 'x', customerId: bob.id })).statusCode, 401)
})
