import t, { type Test } from 'tap'
import { startSmallApp } from './passport-start-app.ts'

const server = (body: string): string => `
const app = (module.exports = require('loopback')())
const { PassportConfigurator } = require('loopback-component-passport')
const passport = new PassportConfigurator(app)
require('loopback-boot')(app, __dirname, (error) => {
  if (error) throw error
})
${body}`

const all = { passport: 'passport', 'passport-local': 'passport-local' }

async function codeOf(t: Test, body: string, packages: Readonly<Record<string, string>> = all): Promise<unknown> {
  try {
    await startSmallApp(t, { files: { 'server/server.js': server(body) }, packages })
    return undefined
  } catch (error) {
    const { code, cause } = error as { code: string; cause?: { code?: string } }
    return cause?.code ?? code
  }
}

const refused: readonly (readonly [code: string, body: string, packages?: Readonly<Record<string, string>>])[] = [
  ['PASSPORT_MISSING', 'passport.init()', {}],
  ['PASSPORT_MISSING', "passport.configureProvider('p', { module: 'passport-local' })", {}],
  ['PASSPORT_STRATEGY_MISSING', "passport.configureProvider('p', { module: 'passport-nowhere' })"],
  [
    'PASSPORT_STRATEGY_MISSING',
    "passport.configureProvider('p', { module: require('path').join(__dirname, 'config.json') })"
  ],
  ['OPTION_INVALID', "passport.configureProvider('p', {})"],
  ['OPTION_INVALID', "passport.configureProvider('p', { module: 'passport-local', customCallback: 'x' })"],
  ['SCRIPT_ARGUMENT_INVALID', 'new PassportConfigurator({})']
]

for (const [code, body, packages] of refused)
  t.test(`${body} stops the start by ${code}`, async (t) => {
    t.equal(await codeOf(t, body, packages), code)
  })

t.test('an application that uses the models alone needs no Passport', async (t) => {
  t.equal(await codeOf(t, 'passport.setupModels()', {}), undefined)
})

t.test('the configurator is called with new and without, and extended', async (t) => {
  const app = await startSmallApp(t, {
    packages: all,
    files: {
      'server/server.js': server(`
        class Own extends PassportConfigurator { hello() { return 'hello' } }
        const own = new Own(app)
        app.seen = [PassportConfigurator(app) instanceof PassportConfigurator, own.hello(), own.app === app,
          passport.init(true) === require('passport')]`)
    }
  })
  t.strictSame(app.loopback['seen'], [true, 'hello', true, true])
})

t.test('a login before setupModels is refused', async (t) => {
  const app = await startSmallApp(t, {
    packages: all,
    files: {
      'server/server.js': server(`
        passport.init(true)
        passport.configureProvider('local', { module: 'passport-local' })
        app.use((error, req, res, next) => res.status(500).json(error.code))`)
    }
  })
  const answer = await app.inject('/auth/local/callback?username=a&password=b')
  t.equal(answer.json(), 'PASSPORT_MODELS_MISSING')
})
