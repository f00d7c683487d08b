import t from 'tap'
import { bootApp } from '../../make-app.ts'

type Loose = Record<string, (...args: unknown[]) => unknown>

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
  const { run } = app.remotes().phases as unknown as Loose // the same
  t.throws(() => run?.(), { code: 'MEMBER_NOT_PROVIDED' })
})
