import * as argon2Library from '@node-rs/argon2'
import { hash as bcryptHash } from '@node-rs/bcrypt'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { ask, codeOf, enter, makeApp } from '../make-app.ts'

const argon2 = { memory: 64, passes: 1 }

/** The stored hash of the one customer. */
async function storedHash({ models }: FastifyInstance): Promise<string> {
  return String((await models.get('Customer').findOne())?.['password'])
}

const login = { email: 'ann@shop.org', password: 'secret' }

void t.test('a hash of bcrypt becomes one of Argon2id at the next login', async (t) => {
  const app = await makeApp(t, { users: { passwordHash: 'argon2id', argon2 } })
  const customers = app.models.get('Customer')
  await customers.create({ email: 'ann@shop.org', password: await bcryptOf('secret') })
  t.match(await storedHash(app), /^\$2a\$04\$/)
  t.equal(codeOf(await ask(app, 'POST', '/Customers/login', { ...login, password: 'other' })), 'LOGIN_FAILED')
  t.match(await storedHash(app), /^\$2a\$04\$/, 'a failed login changes nothing')
  t.equal((await ask(app, 'POST', '/Customers/login', login)).statusCode, 200)
  t.match(await storedHash(app), /^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
  t.equal((await ask(app, 'POST', '/Customers/login', login)).statusCode, 200)
  t.equal(codeOf(await ask(app, 'POST', '/Customers/login', { ...login, password: 'other' })), 'LOGIN_FAILED')
})

/** A hash as another application made it. */
async function bcryptOf(password: string): Promise<string> {
  return bcryptHash(password, { cost: 4, version: '2a' })
}

async function argon2Of(password: string): Promise<string> {
  return argon2Library.hash(password, { memoryCost: 64, timeCost: 1 })
}

void t.test('the other way round as well', async (t) => {
  const app = await makeApp(t)
  await app.models.get('Customer').create({ email: 'ann@shop.org', password: await argon2Of('secret') })
  t.match(await storedHash(app), /^\$argon2id\$/)
  t.equal((await ask(app, 'POST', '/Customers/login', login)).statusCode, 200)
  t.match(await storedHash(app), /^\$2a\$04\$/)
  t.equal((await ask(app, 'POST', '/Customers/login', login)).statusCode, 200)
})

void t.test('a hash that is too weak is made anew, one that is stronger stays', async (t) => {
  const app = await makeApp(t, { customer: { saltWorkFactor: 5 } })
  for (const [cost, expected] of [
    [4, /^\$2a\$05\$/],
    [6, /^\$2a\$06\$/]
  ] as const) {
    await app.models.get('Customer').destroyAll()
    await app.models
      .get('Customer')
      .create({ email: 'ann@shop.org', password: await bcryptHash('secret', { cost, version: '2a' }) })
    t.equal((await ask(app, 'POST', '/Customers/login', login)).statusCode, 200)
    t.match(await storedHash(app), expected)
  }
})

void t.test('a new hash ends no session, and observers do not hear of it', async (t) => {
  const app = await makeApp(t, { users: { passwordHash: 'argon2id', argon2 } })
  const ann = await enter(app, 'ann@shop.org')
  const customers = app.models.get('Customer')
  await customers.updateAll({}, { password: await bcryptOf('secret') }, { preserveAccessTokens: true })
  let saves = 0
  customers.observe('before save', async () => void saves++)
  t.equal((await ask(app, 'POST', '/Customers/login', login)).statusCode, 200)
  t.match(await storedHash(app), /^\$argon2id/)
  t.equal((await ann.ask('GET', `/Customers/${ann.id}`)).statusCode, 200)
  t.equal(saves, 0)
})

void t.test('with Argon2id clients still send no hash', async (t) => {
  for (const protectAccounts of [true, false]) {
    const app = await makeApp(t, { users: { passwordHash: 'argon2id', argon2, protectAccounts } })
    const password = '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$aWduaXM'
    await ask(app, 'POST', '/Customers', { email: 'ann@shop.org', password })
    t.not(await storedHash(app), password)
  }
})

void t.test('what is stored in place of a hash lets nobody in', async (t) => {
  const app = await makeApp(t)
  const customers = app.models.typeOf('Customer')
  await app.models.get('Customer').create(login)
  await customers.collection?.update(undefined, { password: 'secret' })
  t.equal(codeOf(await ask(app, 'POST', '/Customers/login', login)), 'LOGIN_FAILED')
})
