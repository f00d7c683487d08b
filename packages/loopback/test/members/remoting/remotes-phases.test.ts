import type { Test } from 'tap'
import t from 'tap'
import { bootApp } from '../../make-app.ts'

// Everything expected here is what LoopBack 3.28 does with the same script.

const rule = { accessType: '*', principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW' }
const closed = { ...rule, property: 'deleteById', permission: 'DENY' }
const thing = { name: 'Thing', base: 'PersistedModel', properties: { label: 'string' }, acls: [rule, closed] }

const steps = `
  const remotes = app.remotes()
  const { phases } = remotes
  const step = name => (ctx, next) => {
    app.log.push(name + (ctx.instance ? '+inst' : '') + (ctx.error ? '!' + ctx.error.statusCode : ''))
    next()
  }
  app.log = []
  phases.registerHandler('invoke', step('invoke'))
  remotes.registerPhaseHandler('auth', 'Thing.**', step('auth'))
  remotes.registerPhaseHandler('auth', 'Other.**', step('never'))
  remotes.registerPhaseHandler('auth', 'Thing.*.*.*', step('never'))
  phases.registerHandler('auth:before', step('auth:before'))
  phases.registerHandler('auth:after', step('auth:after'))
  phases.addBefore('auth', 'authentication')
  phases.find('authentication').use(step('authentication'))
  phases.addBefore('invoke', 'A').use(step('A')).before(step('A:before'))
  phases.addBefore('A', 'B').use(step('B'))
  remotes.before('**', step('before **'))
  remotes.before('Thing.*', step('before Thing.*'))
  remotes.before('Thing.find', step('before Thing.find'))
  remotes.registerPhaseHandler('invoke:before', 'Thing.**', step('invoke:before'))
  remotes.after('**', step('after'))
  remotes.afterError('**', step('afterError'))
  phases.addAfter('invoke', 'post').use(step('post'))
  phases.find('invoke').after(step('invoke:after'))
  phases.add('end').use(step('end'))`

const run = (t: Test, script: string) =>
  bootApp(t, {
    'common/models/thing.json': thing,
    'server/boot/a.js': `module.exports = app => { app.enableAuth({ dataSource: 'db' }); ${script} }`,
    'server/boot/b.js': `module.exports = app => app.models.Thing.create({ label: 'x' })`
  })

const front = ['authentication', 'auth:before', 'auth', 'auth:after', 'B', 'A:before', 'A']
const back = ['invoke:before', 'invoke', 'after', 'invoke:after', 'post', 'end']
const named = (names: readonly string[], mark: string) => names.map((name) => name + mark)

const calls = [
  ['GET', '/Things', 200, [...front, 'before Thing.find', 'before Thing.*', 'before **', ...back]],
  ['PATCH', '/Things/1', 200, named([...front, 'before **', ...back], '+inst')],
  ['PATCH', '/Things/9', 404, [...front, 'afterError!404']],
  ['DELETE', '/Things/1', 401, ['authentication', 'auth:before', 'afterError!401']],
  ['GET', '/Things?filter=%7B', 400, []]
] as const

for (const [method, path, status, log] of calls)
  void t.test(`${method} ${path} runs the steps of phases in LoopBack's order`, async (t) => {
    const server = await run(t, steps)
    const answer = await server.inject({ method, url: `/api${path}`, ...(method === 'PATCH' && { payload: {} }) })
    t.equal(answer.statusCode, status)
    t.strictSame(server.loopback['log'], log)
  })

void t.test('a list of phases is read and changed by its members', async (t) => {
  const script = `${steps}
    const codes = [() => phases.addBefore('none', 'y'), () => phases.registerHandler('none', () => {}),
      () => phases.add('auth'), () => phases.remove('invoke'), () => phases.find('A').use('x')].map(run => {
        try { run() } catch (error) { return error.code }
      })
    phases.remove('post')
    phases.zipMerge(['authentication', 'x', 'auth', 'A', 'invoke', 'y'])
    phases.add(['v', 'w'])
    app.told = { codes, names: phases.getPhaseNames(), first: phases.first().id, last: phases.last().id,
      list: phases.toArray().length, none: phases.find('none'), removed: phases.remove('none') }`
  const server = await run(t, script)
  t.strictSame(server.loopback['told'], {
    codes: Array.from({ length: 5 }, () => 'SCRIPT_ARGUMENT_INVALID'),
    names: ['authentication', 'x', 'auth', 'B', 'A', 'invoke', 'y', 'end', 'v', 'w'],
    first: 'authentication',
    last: 'w',
    list: 10,
    none: null,
    removed: null
  })
  t.throws(() => server.loopback.remotes().phases.add('late'), { code: 'REGISTRY_SEALED' })
})

void t.test('an error of a step ahead of access control is the answer', async (t) => {
  const server = await run(
    t,
    `app.log = []
     app.remotes().phases.addBefore('auth', 'authentication')
       .use((ctx, next) => next(Object.assign(new Error('tea'), { statusCode: 418 })))
     app.remotes().afterError('**', (ctx, next, method) => { app.log.push(method.stringName, ctx.error.statusCode); next() })`
  )
  const answer = await server.inject('/api/Things')
  t.equal(answer.statusCode, 418)
  t.match(answer.json(), { error: { statusCode: 418, message: 'tea' } })
  t.strictSame(server.loopback['log'], ['Thing.find', 418])
})

void t.test('steps see the call as LoopBack shows it', async (t) => {
  const server = await run(
    t,
    `app.remotes().phases.addBefore('auth', 'authentication').use((ctx, next) => {
       app.told = { limit: ctx.args.filter.limit, name: ctx.method.name, string: ctx.methodString, result: ctx.result,
         same: ctx.req.remotingContext === ctx, token: ctx.req.accessToken, res: typeof ctx.res.json }
       next()
     })`
  )
  await server.inject('/api/Things?filter[limit]=1')
  t.match(server.loopback['told'], {
    name: 'find',
    string: 'Thing.find',
    result: {},
    same: true,
    token: null,
    res: 'function'
  })
})

void t.test('middleware finds the call at its request', async (t) => {
  const server = await run(
    t,
    `app.log = []
     app.use((req, res, next) => {
       res.on('finish', () => app.log.push(req.remotingContext && req.remotingContext.methodString))
       next()
     })
     app.get('/plain', (req, res) => res.json({}))`
  )
  await server.inject('/api/Things')
  await server.inject('/plain')
  t.strictSame(server.loopback['log'], ['Thing.find', undefined])
})
