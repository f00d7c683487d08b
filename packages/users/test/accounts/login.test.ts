import t from 'tap'
import { ask, codeOf, enter, makeApp } from '../make-app.ts'

const madeUp = {
  id: 'chosen',
  created: '2999-01-01T00:00:00.000Z',
  userId: 2,
  principalType: 'Admin',
  appId: 'root',
  scopes: ['reset-password']
}

for (const [form, contentType, payload] of [
  ['JSON', 'application/json', JSON.stringify({ email: 'ann@shop.org', password: 'secret', ttl: madeUp })],
  [
    'a form',
    'application/x-www-form-urlencoded',
    'email=ann@shop.org&password=secret&ttl[id]=chosen&ttl[appId]=root&ttl[created]=2999-01-01'
  ]
] as const) {
  void t.test(`a lifetime that is an object in ${form} says nothing of the token`, async (t) => {
    const app = await makeApp(t)
    await enter(app, 'ann@shop.org')
    const headers = { 'content-type': contentType }
    const login = await app.inject({ method: 'POST', url: '/api/Customers/login', headers, payload })
    const token = login.json<{ id: string; created: string; ttl: number }>()
    t.match(token, { ttl: 1_209_600, userId: 1 })
    t.notHas(token, { principalType: String })
    t.notHas(token, { appId: String })
    t.match(token.id, /^[A-Za-z0-9]{64}$/)
    t.ok(new Date(token.created) <= new Date())
    t.equal(await app.models.get('AccessToken').count({ id: 'chosen' }), 0)
  })
}

void t.test('nobody becomes the user of another model with the same id by a login', async (t) => {
  const admin = { name: 'Admin', base: 'User', public: true, saltWorkFactor: 4 }
  const app = await makeApp(t, { models: [admin] })
  await enter(app, 'ann@shop.org')
  await ask(app, 'POST', '/Admins', { email: 'boss@shop.org', password: 'secret' })
  const credentials = { email: 'ann@shop.org', password: 'secret', ttl: { principalType: 'Admin' } }
  const login = await ask(app, 'POST', '/Customers/login', credentials)
  t.notMatch(login.body, /Admin/)
})

void t.test('a login that began before the password changed leaves no session', async (t) => {
  const app = await makeApp(t)
  const ann = await enter(app, 'ann@shop.org')
  const model = app.models.get('Customer')
  const make: unknown = Reflect.get(model.prototype, 'createAccessToken')
  Reflect.set(model.prototype, 'createAccessToken', async function (this: object, ...args: unknown[]) {
    await ann.ask('POST', '/Customers/change-password', { oldPassword: 'secret', newPassword: 'fresh' })
    return Reflect.apply(make as () => unknown, this, args) // the function that was there
  })
  const late = await ask(app, 'POST', '/Customers/login', { email: 'ann@shop.org', password: 'secret' })
  t.equal(codeOf(late), 'LOGIN_FAILED')
  t.equal(await app.models.get('AccessToken').count({ id: { neq: ann.token } }), 0)
  t.equal((await ann.ask('GET', `/Customers/${ann.id}`)).statusCode, 200)
})

void t.test('a login that began before the account was removed leaves no session', async (t) => {
  const app = await makeApp(t)
  const ann = await enter(app, 'ann@shop.org')
  const model = app.models.get('Customer')
  const make: unknown = Reflect.get(model.prototype, 'createAccessToken')
  Reflect.set(model.prototype, 'createAccessToken', async function (this: object, ...args: unknown[]) {
    await ann.ask('DELETE', `/Customers/${ann.id}`)
    return Reflect.apply(make as () => unknown, this, args) // the function that was there
  })
  const late = await ask(app, 'POST', '/Customers/login', { email: 'ann@shop.org', password: 'secret' })
  t.equal(codeOf(late), 'LOGIN_FAILED')
  t.equal(await app.models.get('AccessToken').count(), 0)
})

void t.test('a session that begins while its user is removed ends with it', async (t) => {
  const app = await makeApp(t)
  const ann = await enter(app, 'ann@shop.org')
  app.models.typeOf('Customer').hooks.observe('before delete', async () => {
    await app.models.get('AccessToken').create({ userId: ann.id })
  })
  t.equal((await ann.ask('DELETE', `/Customers/${ann.id}`)).statusCode, 200)
  t.equal(await app.models.get('AccessToken').count(), 0)
})
