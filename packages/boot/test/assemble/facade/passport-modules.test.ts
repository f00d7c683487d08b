import t from 'tap'
import { bootApp, type Files, notesOf, refusal } from '../../make-app.ts'

const modelConfig = (sources: readonly string[]) => ({
  _meta: { sources: ['../common/models', ...sources] },
  Thing: { dataSource: 'db', public: true },
  User: { dataSource: 'db', public: false },
  UserIdentity: { dataSource: 'db', public: true }
})

const enablesAuth = 'module.exports = (app) => app.enableAuth()'

/** What the package's folder holds; reading or running it is a mistake. */
const onDisk: Files = {
  'node_modules/loopback-component-passport/package.json': {
    name: 'loopback-component-passport',
    main: 'lib/index.js'
  },
  'node_modules/loopback-component-passport/lib/index.js': 'throw new Error("it was loaded")',
  'node_modules/loopback-component-passport/lib/models/user-identity.json': { name: 'UserIdentity', plural: 'others' },
  'node_modules/loopback-component-passport/lib/models/user-identity.js': 'throw new Error("it was loaded")'
}

const named = ['loopback-component-passport/lib/models', '../node_modules/loopback-component-passport/lib/models']

for (const source of named)
  for (const [what, files] of [
    ['is not installed', {}],
    ['is installed', onDisk]
  ] as const)
    t.test(`${source} names the models, with their rules, where the package ${what}`, async (t) => {
      const app = await bootApp(t, {
        'package.json': { name: 'a' },
        'server/model-config.json': modelConfig([source]),
        'server/boot/auth.js': enablesAuth,
        ...files
      })
      t.equal((await app.inject('/api/UserIdentities')).statusCode, 401)
      t.strictSame(
        app.models.get('UserIdentity').modelType.properties.map(({ name }) => name),
        ['provider', 'authScheme', 'externalId', 'profile', 'credentials', 'created', 'modified', 'id', 'userId']
      )
    })

const server = (body = ''): string => `
const app = (module.exports = require('loopback')())
const passport = require('loopback-component-passport')
${body}
require('loopback-boot')(app, __dirname)`

for (const [what, files] of [
  ['is not installed', {}],
  ['is installed', onDisk]
] as const)
  t.test(`scripts that require the module have the models, without rules, where it ${what}`, async (t) => {
    const messages: string[] = []
    const stream = { write: (line: string): void => void messages.push((JSON.parse(line) as { msg: string }).msg) }
    const app = await bootApp(
      t,
      {
        'server/server.js': server(),
        'server/model-config.json': modelConfig([]),
        'server/boot/auth.js': enablesAuth,
        ...files
      },
      { logger: { level: 'warn', stream } }
    )
    t.equal((await app.inject('/api/UserIdentities')).statusCode, 200)
    t.ok(
      messages.some((message) =>
        message.startsWith('passport: UserIdentity: anonymous clients can read the credentials')
      )
    )
  })

t.test('a folder where no package is ever installed holds no models', async (t) => {
  const source = './node_modules/loopback-component-passport/lib/models'
  t.match(await refusal(t, { 'server/model-config.json': modelConfig([source]) }), { code: 'MODEL_UNKNOWN' })
})

t.test('parts of the module are found by their names and by their paths', async (t) => {
  const app = await bootApp(t, {
    'server/boot/a.js': `module.exports = (app) => {
      const name = 'loopback-component-passport'
      const { PassportConfigurator, UserIdentity } = require(name)
      app.seen = {
        key: require(name + '/lib/models/utils').generateKey('password').length,
        same: require('../../node_modules/loopback-component-passport/lib/models/utils.js') === require(name + '/lib/models/utils'),
        configurator: require(name + '/lib/passport-configurator') === PassportConfigurator,
        file: require(name + '/lib/models/user-identity.json').plural,
        version: require(name + '/package.json').version,
        model: UserIdentity.modelName,
        again: require(name).UserIdentity === UserIdentity
      }
    }`
  })
  t.strictSame(app.loopback['seen'], {
    key: 40,
    same: true,
    configurator: true,
    file: 'UserIdentities',
    version: '3.12.0',
    model: 'UserIdentity',
    again: true
  })
})

t.test('other parts of the module are refused', async (t) => {
  const files = { 'server/boot/a.js': "require('loopback-component-passport/lib/nowhere')" }
  t.match(await refusal(t, files), { code: 'SCRIPT_FAILED' })
})

t.test('component-config.json may name it, and what it says there is told to mean nothing', async (t) => {
  const quiet = await bootApp(t, { 'server/component-config.json': { 'loopback-component-passport': {} } })
  t.strictSame(notesOf(quiet), [])
  const app = await bootApp(t, { 'server/component-config.json': { 'loopback-component-passport': { a: 1 } } })
  t.strictSame(notesOf(app), [
    'server/component-config.json: loopback-component-passport: providers are configured in a script'
  ])
})
