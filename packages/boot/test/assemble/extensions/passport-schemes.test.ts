import t, { type Test } from 'tap'
import { type Browser, openBrowser } from './passport-browser.ts'
import { startSmallApp } from './passport-start-app.ts'

// A strategy that calls its function with as many arguments as the packages of these schemes do.
const strategyFile = `
module.exports = class Strategy {
  constructor(options, verify) {
    this.options = options
    this.verify = verify
  }
  authenticate(req) {
    const done = (error, user, info) =>
      error ? this.error(error) : user ? this.success(user, info) : this.fail(info || {})
    const profile = req.query.profile === undefined ? {} : JSON.parse(req.query.profile)
    const calls = {
      3: [req, profile, done],
      4: [req, 'https://id.example/a', profile, done],
      5: [req, 'one', 'two', profile, done],
      9: [req, 'issuer', 'subject', profile, {}, 'one', 'two', {}, done]
    }
    this.verify(...calls[this.verify.length])
  }
}`

const server = (options: object): string => `
const loopback = require('loopback')
const app = (module.exports = loopback())
const passport = new (require('loopback-component-passport').PassportConfigurator)(app)
require('loopback-boot')(app, __dirname, (error) => {
  if (error) throw error
  passport.init(true)
  passport.setupModels()
  const module = require('path').join(__dirname, 'strategy.js')
  const options = ${JSON.stringify(options)}
  app.strategy = passport.configureProvider('p', Object.assign({ module, json: true }, options))
})`

interface Strategy {
  readonly options: Record<string, unknown>
  readonly verify: (...args: unknown[]) => void
}

async function start(t: Test, options: object, files: Readonly<Record<string, string>> = {}) {
  const app = await startSmallApp(t, {
    packages: { passport: 'passport' },
    files: { 'server/server.js': server(options), 'server/strategy.js': strategyFile, ...files }
  })
  const strategy = app.loopback['strategy'] as Strategy
  return { app, strategy, browser: openBrowser(app) }
}

const callback = (browser: Browser, profile: object) =>
  browser.get(`/auth/p/callback?profile=${encodeURIComponent(JSON.stringify(profile))}`)

const cases: readonly (readonly [scheme: string, profile: object, identity: object])[] = [
  ['oAuth1', { id: 'a' }, { externalId: 'a', credentials: { token: 'one', tokenSecret: 'two' } }],
  ['oAuth 1.0', { id: 'a' }, { externalId: 'a', credentials: { token: 'one', tokenSecret: 'two' } }],
  ['OpenID', {}, { externalId: 'https://id.example/a', credentials: { identifier: 'https://id.example/a' } }],
  ['OpenID', { openid: 'b' }, { externalId: 'b' }],
  ['OpenID Connect', { oid: 'c' }, { externalId: 'c', credentials: { accessToken: 'one', refreshToken: 'two' } }],
  ['saml', { nameID: 'd' }, { externalId: 'd', credentials: {} }],
  ['saml', { 'http://schemas.microsoft.com/identity/claims/objectidentifier': 'e' }, { externalId: 'e' }],
  ['any other', { id: 'f' }, { externalId: 'f', credentials: { accessToken: 'one', refreshToken: 'two' } }]
]

for (const [authScheme, profile, identity] of cases)
  t.test(`${authScheme} signs the user of ${JSON.stringify(profile)} in`, async (t) => {
    const { app, browser } = await start(t, { authScheme })
    t.match(await callback(browser, profile), { status: 200, body: { userId: 1 } })
    const found = await app.models.get('UserIdentity').find()
    t.match(JSON.parse(JSON.stringify(found)), [{ provider: 'p', authScheme, userId: 1, ...identity }])
  })

t.test('a directory’s profile is that of its attributes', async (t) => {
  const profileAttributesFromLDAP = { login: 'uid', email: 'mail' }
  const { app, browser } = await start(t, { authScheme: 'ldap', provider: 'ldap', profileAttributesFromLDAP })
  t.match(await callback(browser, { uid: 'u', cn: 'Ann', mail: 'ann@example.com' }), { status: 200 })
  const [user] = await app.models.get('User').find()
  t.match(user, { username: 'ldap.Ann', email: 'ann@example.com' })
})

t.test('keys and certificates of SAML may be in files', async (t) => {
  const { strategy } = await start(
    t,
    { authScheme: 'saml', certPath: 'unused', cert: 'text', callbackURL: '/back' },
    // The path is relative to where the process runs, so that the script says where it is.
    {
      'server/cert.pem': 'from a file',
      'server/server.js': server({ authScheme: 'saml', cert: 'text', callbackURL: '/back' }).replace(
        'Object.assign({',
        "Object.assign({ certPath: require('path').join(__dirname, 'cert.pem'),"
      )
    }
  )
  t.match(strategy.options, { cert: 'from a file', callbackUrl: '/back', passReqToCallback: true })
})

const guesses: readonly (readonly [object, string])[] = [
  [{ consumerKey: 'k', clientID: 'c' }, 'consumerKey'],
  [{ realm: 'r', clientID: 'c' }, 'realm'],
  [{ clientID: 'c' }, 'clientID']
]

for (const [options, key] of guesses)
  t.test(`the scheme is guessed by ${key}`, async (t) => {
    const { app, browser } = await start(t, options)
    await callback(browser, { id: 'a' })
    const [identity] = await app.models.get('UserIdentity').find()
    const names: Record<string, string> = { consumerKey: 'oAuth1', realm: 'OpenID', clientID: 'oAuth 2.0' }
    t.equal(identity?.['authScheme'], names[key])
  })

t.test('loginCallback and createAccessToken take part in a login', async (t) => {
  const { browser } = await start(
    t,
    {},
    {
      'server/server.js': server({ authScheme: 'oAuth 2.0' }).replace(
        'Object.assign({',
        `Object.assign({
        createAccessToken: (user, done) => done(null, { id: 'made', ttl: 1, userId: user.id }),
        loginCallback: (req, done) => (error, user, identity, token) => done(error, user, { accessToken: token }),`
      )
    }
  )
  t.match(await callback(browser, { id: 'a' }), { status: 200, body: { access_token: 'made', userId: 1 } })
})

t.test('a link without a user is refused by LINK_WITHOUT_USER', async (t) => {
  const { strategy } = await start(t, { link: true, clientID: 'c' })
  const failed = await new Promise((resolve) => {
    strategy.verify({}, 'one', 'two', { id: 'a' }, resolve)
  })
  t.match(failed, { code: 'LINK_WITHOUT_USER', statusCode: 401 })
})
