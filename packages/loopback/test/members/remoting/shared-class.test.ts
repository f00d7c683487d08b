import t from 'tap'
import { bootApp, type Files } from '../../make-app.ts'

const withScript = (script: string): Files => ({
  'server/boot/try.js': `module.exports = async app => { const { Thing } = app.models; ${script} }`
})

const script = `module.exports = Thing => {
  Thing.greet = cb => cb(null, 'hi')
  Thing.remoteMethod('greet', { accepts: { arg: 'name', type: 'string' }, returns: { arg: 'x', type: 'string' }, http: { verb: 'get', path: '/greet' } })
  Thing.prototype.wave = cb => cb()
  Thing.remoteMethod('prototype.wave', { http: { verb: 'post', path: '/wave' } })
}`

// The expected values are those of LoopBack 3.28.
const seen: [string, string, unknown][] = [
  [
    'names of the class',
    '[Thing.sharedClass.name, Thing.sharedClass.http, Thing.sharedClass.ctor === Thing]',
    ['Thing', { path: '/Things' }, true]
  ],
  [
    'a method by name',
    "const m = Thing.sharedClass.findMethodByName('greet'); return [m.name, m.isStatic, m.stringName, m.shared, m.http, m.sharedClass === Thing.sharedClass]",
    ['greet', true, 'Thing.greet', true, { verb: 'get', path: '/greet' }, true]
  ],
  [
    'its arguments and results',
    "const m = Thing.sharedClass.findMethodByName('greet'); return [m.accepts, m.returns]",
    [[{ arg: 'name', type: String }], [{ arg: 'x', type: String }]]
  ],
  [
    'a method of instances',
    "const m = Thing.sharedClass.findMethodByName('prototype.wave'); return [m.name, m.isStatic, m.stringName, m.http]",
    ['wave', false, 'Thing.prototype.wave', { verb: 'post', path: '/wave' }]
  ],
  [
    "strong-remoting's own lists",
    "const { sharedClass: c } = Thing; Thing.disableRemoteMethodByName('greet'); const m = c._methods.find(m => m.name === 'greet'); return [m.isStatic, m.http, m.ctor === Thing, c._methods.some(m => m.name === 'find'), c._disabledMethods, c._resolvers.length]",
    [true, { verb: 'get', path: '/greet' }, true, true, { greet: true }, 0]
  ],
  ['a method by an alias', "Thing.sharedClass.findMethodByName('upsert').name", 'patchOrCreate'],
  [
    'the way of version 2',
    "[Thing.sharedClass.find('find', true).name, Thing.sharedClass.find('wave', false).name, Thing.sharedClass.find('wave', true)]",
    ['find', 'wave', null]
  ],
  [
    'one that is switched off',
    "Thing.sharedClass.disableMethodByName('count'); return [Thing.sharedClass.findMethodByName('count'), Thing.sharedClass.methods().some(m => m.name === 'count'), Thing.sharedClass.methods({ includeDisabled: true }).some(m => m.name === 'count')]",
    [undefined, false, true]
  ],
  [
    'one that is not shared any more',
    "const m = Thing.sharedClass.find('count', true); m.shared = false; return [m.shared, Thing.sharedClass.find('count', true)]",
    [false, null]
  ],
  [
    'all that are left',
    "Thing.sharedClass.methods().forEach(m => { if (m.name !== 'find' && m.name !== 'wave') Thing.disableRemoteMethodByName(m.isStatic ? m.name : 'prototype.' + m.name) }); return app.remotes().methods().map(m => m.stringName).sort()",
    ['Thing.find', 'Thing.prototype.wave']
  ],
  [
    'the remotes',
    "[app.remotes().classes().map(c => c.name), app.remotes().findMethod('Thing.greet').name, app.remotes() === app.remotes()]",
    [['Thing'], 'greet', true]
  ],
  [
    'properties',
    '[Thing.definition.properties.label.type, Object.keys(Thing.definition.properties), Thing.definition.rawProperties.label]',
    [String, ['label', 'id'], { type: 'string' }]
  ],
  ['each property', 'const names = []; Thing.forEachProperty(name => names.push(name)); return names', ['label', 'id']]
]
for (const [what, expression, expected] of seen) {
  void t.test(`scripts see ${what}`, async (t) => {
    const body = expression.includes('return ') ? expression : `return ${expression}`
    const files = withScript(`app.set('seen', await (async () => { ${body} })())`)
    const server = await bootApp(t, { 'common/models/thing.js': script, ...files })
    t.strictSame(server.loopback.get('seen'), expected)
  })
}

void t.test('what a script switches off in the shared class has no route', async (t) => {
  const server = await bootApp(t, withScript("Thing.sharedClass.find('count', true).shared = false"))
  t.equal((await server.inject('/api/Things/count')).statusCode, 404)
  t.equal((await server.inject('/api/Things')).statusCode, 200)
})

void t.test('a phase before invoke fills in arguments of every call, ahead of all hooks', async (t) => {
  const phase =
    "app.remotes().phases.addBefore('invoke', 'options').use((ctx, next) => { ctx.args.name = 'phase'; next() })"
  const server = await bootApp(t, {
    'common/models/thing.js': script.replace(
      'Thing.greet = cb => cb(null,',
      'Thing.greet = (name, cb) => cb(null, name +'
    ),
    ...withScript(`Thing.beforeRemote('greet', async ctx => { ctx.args.name += '+' }); ${phase}`)
  })
  t.same((await server.inject('/api/Things/greet?name=x')).json(), { x: 'phase+hi' })
})
