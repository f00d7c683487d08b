import t from 'tap'
import { bootApp } from '../../make-app.ts'

type Loose = Record<string, (...args: unknown[]) => unknown>

// The order that LoopBack 3.28 runs them in, but for what is put before access control.
void t.test('steps of phases run around the method, in order', async (t) => {
  const script = `module.exports = app => {
    const remotes = app.remotes()
    const log = app.log = []
    const step = name => (ctx, next) => { log.push(name); next() }
    remotes.registerPhaseHandler('invoke', 'Thing.*', (ctx, next) => { log.push('in ' + ctx.result.length); next() })
    remotes.registerPhaseHandler('invoke', 'Other.*', step('never'))
    remotes.registerPhaseHandler('auth', 'Thing.**', step('auth'))
    remotes.phases.addBefore('invoke', 'opt').use(step('opt'))
    remotes.before('Thing.find', step('before'))
    remotes.on('before.Thing.find', step('on before'))
    remotes.registerPhaseHandler('invoke:before', 'Thing.find', step('invoke:before'))
    remotes.after('Thing.find', step('after'))
    remotes.on('after.Thing.*', step('on after'))
    remotes.phases.addAfter('invoke', 'post').use(step('post'))
    remotes.phases.find('invoke').after(step('last'))
    app.names = remotes.phases.getPhaseNames()
  }`
  const server = await bootApp(t, { 'server/boot/a.js': script })
  t.equal((await server.inject('/api/Things')).statusCode, 200)
  t.strictSame(server.loopback['names'], ['auth', 'opt', 'invoke', 'post'])
  const log = server.loopback['log'] as string[]
  t.strictSame(log.slice(0, 5), ['auth', 'opt', 'before', 'on before', 'invoke:before'])
  t.strictSame(new Set(log.slice(5)), new Set(['in 0', 'after', 'on after', 'post', 'last']))
})

void t.test('classes are shared and hidden, and methods are described', async (t) => {
  const script = `module.exports = app => {
    const Shown = app.loopback.createModel('Shown', {})
    app.model(Shown, { dataSource: 'db', public: false })
    app.remotes().addClass(Shown.sharedClass)
    app.remotes().deleteClassByName('Thing')
    app.remotes().deleteTypeByName('Thing')
    Shown.hello = async () => 'hi'
    Shown.sharedClass.defineMethod('hello', { returns: { arg: 'a', type: 'string' }, http: { verb: 'get' } })
    app.seen = Shown.sharedClass.isMethodEnabled(Shown.sharedClass.findMethodByName('hello'))
  }`
  const server = await bootApp(t, { 'server/boot/a.js': script })
  const remotes = server.loopback.remotes()
  t.strictSame(
    remotes.classes().map(({ name }) => name),
    ['Shown']
  )
  t.strictSame((await server.inject('/api/Showns/hello')).json(), { a: 'hi' })
  t.equal((await server.inject('/api/Things')).statusCode, 404)
  t.equal(server.loopback['seen'], true)
  t.match(remotes.toJSON()['Shown.hello'], {
    http: { verb: 'get', path: '/hello' },
    returns: [{ arg: 'a' }],
    errors: []
  })
  t.throws(() => remotes.addClass({}), { code: 'SCRIPT_ARGUMENT_INVALID' })
  t.throws(() => remotes.deleteClassByName('Shown'), { code: 'REGISTRY_SEALED' })
})

void t.test('options are those of config.json', async (t) => {
  const { loopback: app } = await bootApp(t)
  t.equal(app.remotes().options, app.get('remoting'))
  t.strictSame(Object.keys(app.remotes().exports), [])
  t.throws(() => Object.assign(app.remotes().exports, { x: {} }), { code: 'MEMBER_NOT_PROVIDED' })
})

void t.test('what remote objects do not have names what to use', async (t) => {
  const { loopback: app } = await bootApp(t)
  const remotes = app.remotes() as unknown as Loose // refused members are functions
  for (const name of ['connect', 'invoke', 'defineType', 'defineObjectType', 'convert'])
    t.throws(() => remotes[name]?.(), { code: 'MEMBER_NOT_PROVIDED' }, name)
  const { phases } = app.remotes()
  t.throws(() => phases.addBefore('auth', 'x'), { code: 'SCRIPT_ARGUMENT_INVALID' })
  t.throws(() => app.remotes().registerPhaseHandler('auth:before', '**', () => {}), { code: 'SCRIPT_ARGUMENT_INVALID' })
  t.throws(() => app.remotes().registerPhaseHandler('none', '**', () => {}), { code: 'SCRIPT_ARGUMENT_INVALID' })
  t.equal(phases.find('none'), undefined)
})
