import t from 'tap'
import { bootApp } from '../../make-app.ts'

const script = `module.exports = Thing => {
  Thing.who = async () => {
    await null
    const context = Thing.app.loopback.getCurrentContext()
    return context && context.get('who')
  }
  Thing.remoteMethod('who', { accepts: { arg: 'who', type: 'string' }, returns: { arg: 'who', type: 'any' }, http: { verb: 'get' } })
  Thing.beforeRemote('who', async ctx => {
    const context = Thing.app.loopback.getCurrentContext()
    if (context) context.set('who', ctx.args.who + ' ' + context.get('http').req.method)
  })
}`

void t.test('version 2 carries values with each request', async (t) => {
  const server = await bootApp(t, { 'common/models/thing.js': script, 'server/config.json': {} }, { version: 2 })
  const answers = await Promise.all(['a', 'b'].map((who) => server.inject(`/api/Things/who?who=${who}`)))
  t.strictSame(
    answers.map((answer) => answer.json<unknown>()),
    [{ who: 'a GET' }, { who: 'b GET' }]
  )
})

void t.test('remoting.context false ends that', async (t) => {
  const config = { remoting: { context: false } }
  const server = await bootApp(t, { 'common/models/thing.js': script, 'server/config.json': config }, { version: 2 })
  t.strictSame((await server.inject('/api/Things/who?who=a')).json(), { who: null })
})

void t.test('version 3 has no current context, and fails where it is asked for', async (t) => {
  const server = await bootApp(t, { 'server/config.json': { remoting: { context: true } } })
  t.throws(server.loopback.loopback['getCurrentContext'] as () => void, { code: 'MEMBER_NOT_PROVIDED' }) // a function
  t.equal((await server.inject('/api/Things')).statusCode, 500)
  t.equal((await server.inject('/nope')).statusCode, 404)
})
