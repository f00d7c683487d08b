import t, { type Test } from 'tap'
import { openBrowser } from './passport-browser.ts'
import { startSmallApp } from './passport-start-app.ts'

/** Runs a boot script and gives what it puts into `app.seen`. */
async function see(t: Test, body: string, files: Readonly<Record<string, unknown>> = {}) {
  const app = await startSmallApp(t, {
    files: { 'server/boot/a.js': `module.exports = async (app) => { const m = app.models; ${body} }`, ...files }
  })
  return { app, seen: app.loopback['seen'] as Record<string, unknown> }
}

const wait = `const wait = (fn, self, ...args) => new Promise((resolve) =>
  fn.call(self, ...args, (...results) => resolve(results)))`
const profile = "{ id: '1', username: 'ann' }"

t.test('login calls back with the user, the identity and the token', async (t) => {
  const { seen } = await see(
    t,
    `${wait}
    const [error, user, identity, token] = await wait(m.UserIdentity.login, m.UserIdentity, 'p', 'oAuth 2.0', ${profile}, { a: 1 })
    const again = await wait(m.UserIdentity.login, m.UserIdentity, 'p', 'oAuth 2.0', ${profile}, { a: 2 }, { autoLogin: false })
    const stored = await m.User.findById(user.id)
    app.seen = { error, username: user.username, email: user.email, isHashed: /^\\$2/.test(stored.password),
      identity: identity.toJSON(), ttl: token.ttl, owner: token.userId, again: [again[1].id, again[2].credentials.a, again[3]] }`
  )
  t.match(seen, {
    error: null,
    username: 'p.ann',
    email: 'ann@loopback.p.com',
    isHashed: true,
    identity: { provider: 'p', authScheme: 'oAuth 2.0', externalId: '1', credentials: { a: 1 }, userId: 1 },
    ttl: 1_209_600,
    owner: 1,
    again: [1, 2, undefined]
  })
})

t.test('login gives a promise of a list where no callback is passed', async (t) => {
  const { seen } = await see(
    t,
    `const [user, identity, token] = await m.UserIdentity.login('p', 's', ${profile}, {}, { emailOptional: true,
      profileToUser: (provider, { id }, { emailOptional }) => ({ username: provider + id + emailOptional, email: 'a@b.cd', password: 'x' }) })
    app.seen = { username: user.username, id: identity.externalId, isToken: typeof token.id }`
  )
  t.strictSame(seen, { username: 'p1true', id: '1', isToken: 'string' })
})

t.test('an identity whose account was deleted signs no one in', async (t) => {
  const { seen } = await see(
    t,
    `const [user] = await m.UserIdentity.login('p', 's', ${profile}, {})
    await m.User.destroyById(user.id)
    app.seen = { list: (await m.UserIdentity.login('p', 's', ${profile}, {})).map((each) => each && each.id) }`
  )
  t.strictSame(seen, { list: [null, 1] })
})

t.test('link keeps one record for a user and an account of a provider', async (t) => {
  const { seen } = await see(
    t,
    `${wait}
    const first = await m.UserCredential.link(7, 'p', 's', { id: 'x' }, { a: 1 })
    const [, second] = await wait(m.UserCredential.link, m.UserCredential, 7, 'p', 's', { id: 'x', name: 'n' }, { a: 2 }, {})
    const app1 = await m.ApplicationCredential.link('app', 'p', 's', { key: 1 })
    const [, app2] = await wait(m.ApplicationCredential.link, m.ApplicationCredential, 'app', 'p', 's', { key: 2 })
    app.seen = { ids: [first.id, second.id, app1.id, app2.id], stored: JSON.parse(JSON.stringify(await m.UserCredential.find())),
      keys: (await m.ApplicationCredential.find()).map(({ credentials, appId }) => [appId, credentials]) }`
  )
  t.match(seen, {
    ids: [1, 1, 1, 1],
    stored: [
      { provider: 'p', authScheme: 's', externalId: 'x', profile: { name: 'n' }, credentials: { a: 2 }, userId: 7 }
    ],
    keys: [['app', { key: 2 }]]
  })
})

t.test('linkExisting: false signs no one in to an account that exists', async (t) => {
  const { seen } = await see(
    t,
    `await m.User.create({ username: 'p.ann', email: 'x@example.com', password: 'pass' })
    const login = (options) => m.UserIdentity.login('p', 's', ${profile}, {}, options).then(([user]) => user.id, (error) => error.name)
    app.seen = { refused: await login({ linkExisting: false }), taken: await login() }`
  )
  t.strictSame(seen, { refused: 'ValidationError', taken: 1 })
})

t.test('an account without user name and address is a new one each time', async (t) => {
  // LoopBack takes the first account of all.
  const { seen } = await see(
    t,
    `await m.User.create({ username: 'first', email: 'first@example.com', password: 'pass' })
    const profileToUser = () => ({ password: 'x' })
    app.seen = { refused: await m.UserIdentity.login('p', 's', ${profile}, {}, { emailOptional: true, profileToUser }).catch((error) => error.name) }`
  )
  t.strictSame(seen, { refused: 'ValidationError' })
})

const failing: readonly (readonly [code: string, call: string])[] = [
  ['PROFILE_ID_MISSING', "m.UserIdentity.login('p', 's', { username: 'x' }, {})"],
  ['PROFILE_ID_MISSING', "m.UserCredential.link(1, 'p', 's', {}, {})"],
  [
    'PROFILE_EMAIL_MISSING',
    "m.UserIdentity.login('p', 's', { id: 1 }, {}, { profileToUser: () => ({ username: 'x' }) })"
  ],
  ['OPTION_INVALID', "(async () => require('loopback-component-passport/lib/models/utils').generateKey(''))()"]
]

for (const [code, call] of failing)
  t.test(`${call} is refused by ${code}`, async (t) => {
    const { seen } = await see(t, `app.seen = { code: await ${call}.then(() => null, (error) => error.code) }`)
    t.strictSame(seen, { code })
  })

t.test('owners alone reach the models of the package’s folder', async (t) => {
  const { app } = await see(t, 'app.enableAuth()')
  const browser = openBrowser(app)
  for (const path of ['UserIdentities', 'UserCredentials'])
    t.equal((await browser.get(`/api/${path}`)).status, 401, path)
})

t.test('models of the application extend them, with a method of their own records', async (t) => {
  const { seen } = await see(
    t,
    `const [, identity] = await m.AccountIdentity.login('p', 's', ${profile}, {})
    app.seen = { model: identity.constructor.modelName, others: await m.UserIdentity.count(), path: m.AccountIdentity.http.path }`,
    {
      'server/models/account-identity.json': { name: 'AccountIdentity', plural: 'identities', base: 'UserIdentity' },
      'server/model-config.json': {
        _meta: { sources: ['../node_modules/loopback-component-passport/lib/models', './models'] },
        User: { dataSource: 'db' },
        AccessToken: { dataSource: 'db', public: false },
        UserIdentity: { dataSource: 'db', public: false },
        AccountIdentity: { dataSource: 'db' }
      }
    }
  )
  t.strictSame(seen, { model: 'AccountIdentity', others: 0, path: '/identities' })
})
