import t, { type Test } from 'tap'
import { ask, codeOf, enter, makeApp } from '../make-app.ts'

const wrong = { email: 'ann@shop.org', password: 'wrong' }
const right = { email: 'ann@shop.org', password: 'secret' }

async function tryTimes<T>(times: number, run: () => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  for (let index = 0; index < times; index++) answers.push(await run())
  return answers
}

async function start(t: Test, rateLimit?: false | { failures?: number; accountFailures?: number }) {
  const app = await makeApp(t, { users: rateLimit === undefined ? {} : { rateLimit } })
  await ask(app, 'POST', '/Customers', right)
  const login = (payload: object, remoteAddress = '198.51.100.1') =>
    app.inject({ method: 'POST', url: '/api/Customers/login', payload, remoteAddress })
  return { app, login }
}

t.test('fifty wrong passwords do not lead to the right one', async (t) => {
  const { login } = await start(t)
  await tryTimes(50, () => login(wrong))
  const answer = await login(right)
  t.equal(answer.statusCode, 429)
  t.equal(codeOf(answer), 'TOO_MANY_ATTEMPTS')
  t.ok(Number(answer.headers['retry-after']) > 0)
})

t.test('answers say how many attempts are left, and where they do not count they say nothing', async (t) => {
  const app = await makeApp(t, { users: { rateLimit: { max: 3, timeWindow: 30_000 } } })
  const attempts = await tryTimes(4, () => app.inject({ method: 'POST', url: '/api/Customers/login', payload: wrong }))
  t.strictSame(
    attempts.map(({ headers }) => headers['ratelimit-policy']),
    Array.from({ length: 4 }, () => '"default";q=3;w=30')
  )
  t.strictSame(
    attempts.map(({ statusCode, headers }) => [statusCode, String(headers['ratelimit']).replace(/t=\d+$/, 't=')]),
    [
      [401, '"default";r=2;t='],
      [401, '"default";r=1;t='],
      [401, '"default";r=0;t='],
      [429, '"default";r=0;t=']
    ]
  )
  t.equal((await app.inject('/api/Customers')).headers['ratelimit-policy'], undefined)
})

t.test('neither do fifty at once', async (t) => {
  const { login } = await start(t)
  const answers = await Promise.all(Array.from({ length: 50 }, () => login(wrong)))
  const tried = answers.filter(({ statusCode }) => statusCode === 401).length
  // On a busy machine the first waits, of some seconds, are over before all are answered.
  t.ok(tried >= 10 && tried < 15, `${tried} were tried`)
})

t.test('an account that there is not is answered in the same way', async (t) => {
  const { login } = await start(t)
  const known = await tryTimes(15, () => login(wrong))
  const unknown = await tryTimes(15, () => login({ ...wrong, email: 'nobody@shop.org' }))
  const facts = ({ statusCode, body }: (typeof known)[number]) => [statusCode, body]
  t.strictSame(unknown.map(facts), known.map(facts))
})

t.test('who has a network of addresses has the attempts of one', async (t) => {
  const { login } = await start(t, { failures: 5 })
  for (let host = 1; host <= 5; host++) await login(wrong, `2001:db8:0:1::${host}`)
  t.equal((await login(right, '2001:db8:0:1::6')).statusCode, 429)
  t.equal((await login(right, '2001:db8:0:2::6')).statusCode, 200, 'another network does not wait')
})

t.test('who types wrong passwords elsewhere locks nobody out', async (t) => {
  const { login } = await start(t, { failures: 5, accountFailures: 10 })
  t.equal((await login(right, '203.0.113.9')).statusCode, 200)
  for (let host = 1; host <= 20; host++) await tryTimes(3, () => login(wrong, `198.51.100.${host}`))
  t.equal((await login(right, '192.0.2.1')).statusCode, 429, 'a new address waits')
  t.equal((await login(right, '203.0.113.9')).statusCode, 200, 'a known one does not')
})

t.test('names that a database may find the same account by count together', async (t) => {
  const { login } = await start(t, { accountFailures: 10 })
  const names = ['ANN@shop.org', 'ann@shop.org  ', 'änn@shop.org', 'a\u200Bnn@shop.org', 'Ａnn@shop.org']
  for (const email of names) await login({ email, password: 'wrong' })
  for (const username of names) await login({ username, password: 'wrong' })
  t.equal((await login(right)).statusCode, 429)
})

t.test('an own account that is called like the address of another gives no more attempts at that', async (t) => {
  const { app, login } = await start(t)
  const own = { username: 'ann@shop.org', password: 'own' }
  await ask(app, 'POST', '/Customers', { ...own, email: 'eve@shop.org' })
  for (let round = 0; round < 4; round++) {
    t.equal((await login(own)).statusCode, 200)
    await tryTimes(3, () => login(wrong))
  }
  t.equal((await login(right)).statusCode, 429)
})

t.test('nor does one whose name differs in case alone', async (t) => {
  const { app, login } = await start(t)
  await app.models.get('Customer').create({ username: 'bob', email: 'bob@shop.org', password: 'secret' })
  await app.models.get('Customer').create({ username: 'BOB', email: 'eve@shop.org', password: 'own' })
  for (let round = 0; round < 4; round++) {
    t.equal((await login({ username: 'BOB', password: 'own' })).statusCode, 200)
    await tryTimes(3, () => login({ username: 'bob', password: 'wrong' }))
  }
  t.equal((await login({ username: 'bob', password: 'secret' })).statusCode, 429)
})

t.test('a realm that no account is looked for by gives no more attempts', async (t) => {
  const { login } = await start(t)
  for (let index = 0; index < 10; index++) await login({ ...wrong, realm: `realm ${index}` })
  t.equal((await login(right)).statusCode, 429)
})

t.test('with a delimiter a realm counts the same, before the name or beside it', async (t) => {
  const app = await makeApp(t, { customer: { realmDelimiter: ':' } })
  await app.models.get('Customer').create({ email: 'ann@shop.org', realm: 'north', password: 'secret' })
  const login = (payload: object) => app.inject({ method: 'POST', url: '/api/Customers/login', payload })
  for (let index = 0; index < 5; index++) {
    await login({ email: 'north:ann@shop.org', password: 'wrong', realm: `realm ${index}` })
    await login({ email: 'ann@shop.org', password: 'wrong', realm: 'north' })
  }
  t.equal((await login({ email: ':ann@shop.org', password: 'wrong', realm: 'north' })).statusCode, 429)
  t.equal(
    (await login({ email: 'south:ann@shop.org', password: 'wrong' })).statusCode,
    401,
    'another account does not wait'
  )
})

t.test('the old password is not guessed by a session', async (t) => {
  const app = await makeApp(t)
  const ann = await enter(app, 'ann@shop.org')
  const guess = (oldPassword: string) =>
    ann.ask('POST', '/Customers/change-password', { oldPassword, newPassword: 'another' })
  await tryTimes(10, () => guess('wrong'))
  t.equal((await guess('secret')).statusCode, 429)
})

t.test('one mailbox is not filled from many addresses', async (t) => {
  const app = await makeApp(t)
  await ask(app, 'POST', '/Customers', right)
  const reset = (host: number, email: string) =>
    app.inject({
      method: 'POST',
      url: '/api/Customers/reset',
      payload: { email },
      remoteAddress: `198.51.100.${host}`
    })
  const statuses = async (email: string) => {
    const answers = []
    for (let host = 1; host <= 12; host++) answers.push((await reset(host, email)).statusCode)
    return answers
  }
  const known = await statuses('ann@shop.org')
  t.strictSame(known.slice(9), [204, 429, 429])
  t.strictSame(await statuses('nobody@shop.org'), known)
})

t.test('the token that confirms an address is not guessed', async (t) => {
  const app = await makeApp(t)
  const ann = await enter(app, 'ann@shop.org')
  const guess = () => ask(app, 'GET', `/Customers/confirm?uid=${ann.id}&token=wrong`)
  const answers = await tryTimes(11, guess)
  t.strictSame(
    answers.map(({ statusCode }) => statusCode),
    [...Array.from({ length: 10 }, () => 400), 429]
  )
})

t.test('rateLimit: false counts nothing', async (t) => {
  const { login } = await start(t, false)
  await tryTimes(20, () => login(wrong))
  t.equal((await login(right)).statusCode, 200)
})
