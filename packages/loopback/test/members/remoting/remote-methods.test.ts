import t from 'tap'
import { bootApp } from '../../make-app.ts'

const script = `module.exports = Thing => {
  const log = []
  Thing.log = async () => log.splice(0)
  Thing.remoteMethod('log', { returns: { arg: 'log', type: 'array', root: true }, http: { verb: 'get' } })
  Thing.sum = (a, b, cb) => cb(null, a + b)
  Thing.remoteMethod('sum', { accepts: [{ arg: 'a', type: 'number' }, { arg: 'b', type: 'number' }], returns: { arg: 'sum', type: 'number' }, http: { verb: 'get' } })
  Thing.agent = async agent => agent
  Thing.remoteMethod('agent', { accepts: { arg: 'agent', type: 'string', http: ctx => ctx.req.get('x-agent') + ' ' + ctx.method.name }, returns: { arg: 'agent', type: 'string' }, http: { verb: 'get' } })
  Thing.never = () => {}
  Thing.remoteMethod('never', { http: { verb: 'get' } })
  Thing.beforeRemote('sum', (ctx, unused, next) => { log.push('before ' + ctx.methodString); ctx.args.a = ctx.args.a || 100; next() })
  Thing.afterRemote('sum', async (ctx, result) => { log.push('after ' + JSON.stringify(result)); ctx.result.extra = true })
  Thing.afterRemoteError('prototype.*', (ctx, next) => { log.push('error ' + ctx.error.statusCode); next() })
  Thing.beforeRemote('prototype.*', (ctx, unused, next) => next(Object.assign(new Error('no'), { statusCode: 418 })))
  Thing.disableRemoteMethodByName('deleteById')
  Thing.disableRemoteMethod('count', true)
  Thing.disableRemoteMethod('updateAttributes', false)
}`

const answers: [string, number, object][] = [
  ['/api/Things/sum?a=1&b=2', 200, { sum: 3, extra: true }],
  ['/api/Things/sum?b=2', 200, { sum: 102, extra: true }],
  ['/api/Things/agent', 200, { agent: 'me agent' }],
  ['/api/Things/count', 404, /statusCode/],
  ['/api/Things/never', 503, { error: { code: 'METHOD_TIMEOUT' } }]
]

void t.test('remote methods and hooks of scripts', async (t) => {
  const server = await bootApp(t, { 'common/models/thing.js': script }, { methodTimeout: 20 })
  for (const [url, status, body] of answers) {
    const answer = await server.inject({ url, headers: { 'x-agent': 'me' } })
    t.equal(answer.statusCode, status, url)
    if (body instanceof RegExp) t.match(answer.body, body, url)
    else t.match(answer.json(), body, url)
  }
  t.strictSame((await server.inject('/api/Things/log')).json(), [
    'before Thing.sum',
    'after {"sum":3}',
    'before Thing.sum',
    'after {"sum":102}'
  ])
})

void t.test('methods are switched off by their names and aliases', async (t) => {
  const server = await bootApp(t, { 'common/models/thing.js': script })
  for (const method of ['PATCH', 'DELETE'] as const)
    t.equal((await server.inject({ method, url: '/api/Things/1', payload: {} })).statusCode, 404)
})

void t.test('app.remotes() has hooks for patterns of all models', async (t) => {
  const boot = `module.exports = app => {
    app.remotes().before('**', (ctx, next) => { ctx.args.filter = { where: { label: 'b' } }; next() })
    app.remotes().after('*.find', ctx => { ctx.result = ctx.result.length })
    app.remotes().afterError('Thing.findOne', (ctx, next) => next())
    return app.models.Thing.create([{ label: 'a' }, { label: 'b' }])
  }`
  const server = await bootApp(t, { 'server/boot/a.js': boot })
  t.equal((await server.inject('/api/Things')).json(), 1)
})

const refused: [string, string][] = [
  ['a specification that is no object', 'Thing.remoteMethod("x", 1)'],
  ['a hook that is no function', 'Thing.beforeRemote("find", {})']
]
for (const [name, line] of refused) {
  void t.test(`refuses ${name}`, async (t) => {
    const booted = bootApp(t, { 'common/models/thing.js': `module.exports = Thing => { ${line} }` })
    await t.rejects(booted, { code: 'SCRIPT_FAILED', cause: { code: 'SCRIPT_ARGUMENT_INVALID' } })
  })
}

void t.test('a text sent as a file is in UTF-8, whatever type its method names', async (t) => {
  const returns = `[{ arg: 'body', type: 'file', root: true }, { arg: 'Content-Type', type: 'string', http: { target: 'header' } }]`
  const server = await bootApp(t, {
    'common/models/thing.js': `module.exports = Thing => {
      Thing.csv = (type, cb) => cb(null, 'ä;b', type)
      Thing.remoteMethod('csv', { accepts: { arg: 'type', type: 'string' }, returns: ${returns}, http: { verb: 'get' } })
    }`
  })
  for (const type of ['text/csv', 'text/csv; charset=latin1']) {
    const { headers } = await server.inject(`/api/Things/csv?type=${encodeURIComponent(type)}`)
    t.equal(headers['content-type'], 'text/csv; charset=utf-8')
  }
})
