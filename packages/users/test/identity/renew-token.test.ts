import { mock } from 'node:test'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { enter, makeApp } from '../make-app.ts'

/** Puts the start of a token's life into the past. */
async function age({ models }: FastifyInstance, id: string, seconds: number, more: object = {}): Promise<void> {
  await models.get('AccessToken').updateAll({ id }, { created: new Date(Date.now() - seconds * 1000), ...more })
}

/** Seconds since the life of a token began. */
async function ageOf({ models }: FastifyInstance, id: string): Promise<number> {
  const created = (await models.get('AccessToken').findById(id))?.['created']
  return created instanceof Date ? Math.round((Date.now() - created.getTime()) / 1000) : NaN
}

const lives: [string, boolean, number, object, boolean][] = [
  ['in its second half', true, 6000, { ttl: 10_000 }, true],
  ['in its first half', true, 4000, { ttl: 10_000 }, false],
  ['in its second half, where that is not asked for', false, 6000, { ttl: 10_000 }, false],
  ['that has scopes', true, 6000, { ttl: 10_000, scopes: ['DEFAULT'] }, false],
  ['that may be the token of a reset', true, 600, { ttl: 900 }, false],
  ['that lives for ever', true, 6000, { ttl: -1 }, false]
]

for (const [what, renewTokens, seconds, more, isRenewed] of lives) {
  void t.test(`the life of a token ${what} ${isRenewed ? 'starts anew' : 'goes on'} when it is used`, async (t) => {
    const app = await makeApp(t, { customer: { allowEternalTokens: true }, users: { renewTokens } })
    const ann = await enter(app, 'ann@shop.org')
    await age(app, ann.token, seconds, more)
    t.equal((await ann.ask('GET', `/Customers/${ann.id}`)).statusCode, 200)
    t.equal(await ageOf(app, ann.token), isRenewed ? 0 : seconds)
  })
}

void t.test('a token that has expired is not renewed', async (t) => {
  const app = await makeApp(t, { users: { renewTokens: true } })
  const ann = await enter(app, 'ann@shop.org')
  await age(app, ann.token, 10_001, { ttl: 10_000 })
  t.equal((await ann.ask('GET', `/Customers/${ann.id}`)).statusCode, 401)
  t.equal(await app.models.get('AccessToken').count(), 0)
})

void t.test('a renewed token is written once, and lives on in memory', async (t) => {
  const app = await makeApp(t, { users: { renewTokens: true } })
  const ann = await enter(app, 'ann@shop.org')
  await age(app, ann.token, 6000, { ttl: 10_000 })
  let writes = 0
  app.models.changes.subscribe('AccessToken', () => writes++)
  await Promise.all([1, 2, 3].map(() => ann.ask('GET', `/Customers/${ann.id}`)))
  await ann.ask('GET', `/Customers/${ann.id}`)
  t.ok(writes >= 1 && writes <= 3)
  const before = writes
  await ann.ask('GET', `/Customers/${ann.id}`)
  t.equal(writes, before)
})

void t.test('a token that is logged out while it is renewed does not come back', async (t) => {
  const app = await makeApp(t, { users: { renewTokens: true } })
  const ann = await enter(app, 'ann@shop.org')
  await age(app, ann.token, 6000, { ttl: 10_000 })
  await Promise.all([ann.ask('GET', `/Customers/${ann.id}`), ann.ask('POST', '/Customers/logout')])
  t.equal(await app.models.get('AccessToken').count(), 0)
  t.equal((await ann.ask('GET', `/Customers/${ann.id}`)).statusCode, 401)
})

void t.test('a session ends at its greatest age, however often it was renewed', async (t) => {
  const app = await makeApp(t, { users: { renewTokens: true, maxSessionAge: 20_000 } })
  const ann = await enter(app, 'ann@shop.org')
  const statusAfter = async (seconds: number, started: number): Promise<number> => {
    const sessionStart = new Date(Date.now() - started * 1000)
    await age(app, ann.token, seconds, { ttl: 10_000, ...(started === seconds ? {} : { sessionStart }) })
    return (await ann.ask('GET', `/Customers/${ann.id}`)).statusCode
  }
  t.equal(await statusAfter(6000, 6000), 200)
  t.equal(await ageOf(app, ann.token), 0)
  const start = (await app.models.get('AccessToken').findById(ann.token))?.['sessionStart']
  t.equal(start instanceof Date && Math.round((Date.now() - start.getTime()) / 1000), 6000)
  t.equal(await statusAfter(9000, 15_000), 200)
  t.equal(await ageOf(app, ann.token), 0, 'it is renewed again')
  t.equal(await statusAfter(5, 20_001), 401)
  t.equal(await app.models.get('AccessToken').count(), 0)
})

const ages: [string, object, number][] = [
  ['is never renewed', { ttl: 1_209_600 }, 401],
  ['is shorter than that', { ttl: 101 }, 200],
  ['has no end', { ttl: -1 }, 200]
]

for (const [what, more, status] of ages) {
  void t.test(`a session of a greatest age whose token ${what} is answered ${status}`, async (t) => {
    const app = await makeApp(t, { customer: { allowEternalTokens: true }, users: { maxSessionAge: 100 } })
    const ann = await enter(app, 'ann@shop.org')
    await age(app, ann.token, status === 401 ? 101 : 50, more)
    t.equal((await ann.ask('GET', `/Customers/${ann.id}`)).statusCode, status)
  })
}

void t.test('a token that another process has renewed is not taken for expired', async (t) => {
  const app = await makeApp(t, { users: { tokenCacheAge: 3600 } })
  const ann = await enter(app, 'ann@shop.org')
  await age(app, ann.token, 9000, { ttl: 10_000 })
  await ann.ask('GET', `/Customers/${ann.id}`)
  const later = Date.now() + 2_000_000
  // As another process does it: nothing is announced here.
  await app.models.typeOf('AccessToken').collection?.update(undefined, { created: new Date(later) })
  mock.timers.enable({ apis: ['Date'], now: later })
  t.teardown(() => mock.timers.reset())
  t.equal((await ann.ask('GET', `/Customers/${ann.id}`)).statusCode, 200)
  t.equal(await app.models.get('AccessToken').count(), 1)
})

void t.test('every model of tokens holds when sessions began', async (t) => {
  const models = [{ name: 'PersonToken', base: 'AccessToken' }]
  const app = await makeApp(t, { models, users: { maxSessionAge: 100 } })
  await app.ready()
  for (const name of ['AccessToken', 'PersonToken']) t.ok(app.models.typeOf(name).byName.has('sessionStart'), name)
})
