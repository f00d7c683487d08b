import t from 'tap'
import { bootApp } from '../make-app.ts'

const things = `Thing.create([{ label: 'a' }, { label: 'b' }], done)`

// What applications that keep tenants apart do: they add a condition to the filter of each read.
const narrow = `
  const narrow = (ctx) => {
    if (ctx.args.filter === undefined) ctx.args.filter = {}
    ctx.args.filter.where = { and: [ctx.args.filter.where || {}, { label: 'a' }] }
  }`

const places: Readonly<Record<string, string>> = {
  'checkAccess of a model': `Thing.checkAccess = (token, id, method, ctx, callback) => { narrow(ctx); callback(null, true) }`,
  'a phase before the method': `app.remotes().phases.addBefore('invoke', 'tenants').use((ctx, next) => { narrow(ctx); next() })`,
  'the authorization of all remotes': `app.remotes().authorization = (ctx, next) => { narrow(ctx); next() }`
}

for (const [place, script] of Object.entries(places)) {
  t.test(`${place} adds a condition to a filter, also to one that was sent before`, async (t) => {
    const server = await bootApp(t, {
      'server/boot/a.js': `module.exports = (app, done) => {
        const { Thing } = app.models
        ${narrow}
        app.enableAuth()
        ${script}
        ${things}
      }`
    })
    for (const filter of ['{"where":{}}', '{"limit":5}', '{"where":{"id":{"gt":0}}}', '{"where":{"id":2}}']) {
      const expected = filter.includes('2') ? [] : [{ id: 1, label: 'a' }]
      for (let times = 0; times < 3; times++) {
        const answer = await server.inject(`/api/Things?filter=${encodeURIComponent(filter)}`)
        t.same(answer.json(), expected, `${filter}, sent ${times + 1} times`)
      }
    }
  })
}

t.test('a resolver of a role may change the filter of the call', async (t) => {
  const server = await bootApp(t, {
    'common/models/thing.json': {
      name: 'Thing',
      base: 'PersistedModel',
      properties: { label: 'string' },
      acls: [
        { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
        { principalType: 'ROLE', principalId: 'tenant', permission: 'ALLOW' }
      ]
    },
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      Thing: { dataSource: 'db', public: true },
      ...Object.fromEntries(
        ['User', 'AccessToken', 'ACL', 'RoleMapping', 'Role'].map((name) => [name, { dataSource: 'db' }])
      )
    },
    'server/boot/a.js': `module.exports = (app, done) => {
      const { Thing, Role } = app.models
      ${narrow}
      app.enableAuth()
      Role.registerResolver('tenant', (role, context, callback) => {
        narrow(context.remotingContext)
        callback(null, true)
      })
      ${things}
    }`
  })
  const url = `/api/Things?filter=${encodeURIComponent('{"where":{"id":{"gt":0}}}')}`
  for (let times = 0; times < 3; times++) t.same((await server.inject(url)).json(), [{ id: 1, label: 'a' }])
})

// LB3: both names are the same function.
const aliases: readonly (readonly [saved: string, other: string, call: string])[] = [
  ['Thing.update', 'Thing.updateAll', `Thing.update({ id: 1 }, { label: 'c' })`],
  ['Thing.update', 'Thing.updateAll', `Thing.updateAll({ id: 1 }, { label: 'c' })`],
  ['Thing.upsert', 'Thing.patchOrCreate', `Thing.upsert({ id: 1, label: 'c' })`],
  ['Thing.remove', 'Thing.destroyAll', `Thing.destroyAll({ id: 1 })`],
  ['Thing.deleteById', 'Thing.destroyById', `Thing.destroyById(1)`],
  [
    'Thing.prototype.updateAttributes',
    'Thing.prototype.patchAttributes',
    `Thing.findById(1).then((thing) => thing.patchAttributes({ label: 'c' }))`
  ]
]

for (const [saved, other, call] of aliases) {
  t.test(`a function in place of ${saved} and ${other} calls what it replaced: ${call}`, async (t) => {
    const server = await bootApp(t, {
      'server/boot/a.js': `module.exports = (app, done) => {
        const { Thing } = app.models
        const original = ${saved}
        let calls = 0
        ${saved} = ${other} = function () { calls++; return original.apply(this, arguments) }
        Thing.create([{ label: 'a' }, { label: 'b' }])
          .then(() => ${call})
          .then(() => Thing.findById(1))
          .then((thing) => { app.set('seen', [calls, thing && thing.label]); done() })
          .catch(done)
      }`
    })
    t.strictSame(server.loopback.get('seen'), [1, /destroy/i.test(call) ? null : 'c'])
  })
}
