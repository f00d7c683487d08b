import { Writable } from 'node:stream'
import type { FastifyInstance, InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { bootApp, type Files } from '../make-app.ts'

interface Line {
  readonly level: number
  readonly method?: string
  readonly err?: { readonly message: string }
}

/** Ways in which a function of a script fails; `done` is its callback, where it has one. */
const failures: Readonly<Record<string, string>> = {
  throws: "throw new Error('broken')",
  'throws a text': "throw 'broken'",
  'throws nothing': 'throw undefined',
  rejects: "return Promise.reject(new Error('broken'))",
  'rejects with nothing': 'return Promise.reject()'
}
const callbackFailures: Readonly<Record<string, string>> = {
  'calls back an error': "done(new Error('broken'))",
  'calls back a text': "done('broken')",
  'calls back an error later': "setImmediate(() => done(new Error('broken')))",
  'calls back an error twice': "done(new Error('broken')); done(new Error('again'))",
  'calls back an error and throws': "done(new Error('broken')); throw new Error('again')"
}

const get = '/api/Things/1/run'
const post = (payload: object): InjectOptions => ({ method: 'POST', url: '/api/Things', payload })
const patch = { method: 'PATCH', url: '/api/Things/1', payload: { label: 'b' } } as const
const remove = { method: 'DELETE', url: '/api/Things/1' } as const

/** Where a function of a script runs: the script with BODY in it, the request that meets it, the method in the log. */
const places: readonly [string, string, InjectOptions | string, string, ('callback' | 'sync')?][] = [
  [
    'a static method',
    "Thing.work = function (done) { BODY }; Thing.remoteMethod('work', { http: { verb: 'get' } })",
    '/api/Things/work',
    'Thing.work',
    'callback'
  ],
  [
    'a method of instances',
    "Thing.prototype.run = function (done) { BODY }; Thing.remoteMethod('prototype.run', { http: { verb: 'get' } })",
    get,
    'Thing.prototype.run',
    'callback'
  ],
  [
    'a replaced method',
    'Thing.find = function (filter, options, done) { BODY }',
    '/api/Things',
    'Thing.find',
    'callback'
  ],
  [
    'beforeRemote',
    "Thing.beforeRemote('find', function (ctx, unused, done) { BODY })",
    '/api/Things',
    'Thing.find',
    'callback'
  ],
  [
    'afterRemote',
    "Thing.afterRemote('find', function (ctx, result, done) { BODY })",
    '/api/Things',
    'Thing.find',
    'callback'
  ],
  [
    'afterRemoteError',
    "Thing.work = async () => { throw new Error('first') }; Thing.remoteMethod('work', { http: { verb: 'get' } }); Thing.afterRemoteError('work', function (ctx, done) { BODY })",
    '/api/Things/work',
    'Thing.work',
    'callback'
  ],
  [
    'before of the application',
    "Thing.on('attached', app => app.remotes().before('*.find', function (ctx, done) { BODY }))",
    '/api/Things',
    'Thing.find',
    'callback'
  ],
  [
    'after of the application',
    "Thing.on('attached', app => app.remotes().after('**', function (ctx, done) { BODY }))",
    '/api/Things',
    'Thing.find',
    'callback'
  ],
  [
    'afterError of the application',
    "Thing.find = async () => { throw new Error('first') }; Thing.on('attached', app => app.remotes().afterError('**', function (ctx, done) { BODY }))",
    '/api/Things',
    'Thing.find',
    'callback'
  ],
  [
    'the hook access',
    "Thing.observe('access', function (ctx, done) { BODY })",
    '/api/Things',
    'Thing.find',
    'callback'
  ],
  [
    'the hook before save',
    "Thing.observe('before save', function (ctx, done) { if (!ctx.options.mine) { BODY } else done() })",
    post({ label: 'x' }),
    'Thing.create',
    'callback'
  ],
  [
    'the hook persist',
    "Thing.observe('persist', function (ctx, done) { if (!ctx.options.mine) { BODY } else done() })",
    patch,
    'Thing.prototype.patchAttributes',
    'callback'
  ],
  [
    'the hook loaded',
    "Thing.observe('loaded', function (ctx, done) { if (!ctx.options.mine) { BODY } else done() })",
    '/api/Things',
    'Thing.find',
    'callback'
  ],
  [
    'the hook after save',
    "Thing.observe('after save', function (ctx, done) { if (!ctx.options.mine) { BODY } else done() })",
    post({ label: 'x' }),
    'Thing.create',
    'callback'
  ],
  [
    'the hook before delete',
    "Thing.observe('before delete', function (ctx, done) { BODY })",
    remove,
    'Thing.deleteById',
    'callback'
  ],
  [
    'the hook after delete',
    "Thing.observe('after delete', function (ctx, done) { BODY })",
    remove,
    'Thing.deleteById',
    'callback'
  ],
  [
    'a computed argument',
    "Thing.work = cb => cb(); Thing.remoteMethod('work', { accepts: { arg: 'a', type: 'any', http: function (ctx) { BODY } }, http: { verb: 'get' } })",
    '/api/Things/work',
    'Thing.work',
    'sync'
  ],
  [
    'a rule',
    "Thing.validate('label', function (err) { if (this.label === 'bad') { BODY } }, { message: 'x' })",
    post({ label: 'bad' }),
    'Thing.create',
    'sync'
  ],
  [
    'an asynchronous rule',
    "Thing.validateAsync('label', function (err, done) { if (this.label === 'bad') { BODY } else done() })",
    post({ label: 'bad' }),
    'Thing.create'
  ],
  [
    'a default function',
    "Thing.defineProperty('made', { type: 'string', default: function () { if (Thing.broken) { BODY } } }); Thing.broken = false; Thing.beforeRemote('create', async () => { Thing.broken = true })",
    post({ label: 'x' }),
    'Thing.create',
    'sync'
  ]
]

const applicable = (kind: (typeof places)[number][4]): Readonly<Record<string, string>> => {
  if (kind === 'sync') return { throws: failures['throws'] ?? '', 'throws a text': failures['throws a text'] ?? '' }
  return kind === 'callback' ? { ...failures, ...callbackFailures } : failures
}

async function boot(t: Test, script: string, more: object = {}): Promise<{ server: FastifyInstance; lines: Line[] }> {
  const lines: Line[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as Line)
      done()
    }
  })
  const files: Files = {
    'server/middleware.json': {
      routes: { 'loopback#rest': { paths: ['/api'] } },
      'final:after': { 'strong-error-handler': {} }
    },
    'common/models/thing.js': `module.exports = Thing => { ${script} }`,
    'server/boot/fill.js': "module.exports = app => app.models.Thing.create({ label: 'a' }, { mine: true })"
  }
  return { server: await bootApp(t, files, { logger: { level: 'warn', stream }, ...more }), lines }
}

/** One answer with this status, one line that names the method, and a server that goes on. */
async function expectFailure(
  t: Test,
  { server, lines }: { server: FastifyInstance; lines: Line[] },
  request: InjectOptions | string,
  expected: { statusCode: number; method: string }
): Promise<void> {
  const { statusCode, method } = expected
  const response = await server.inject(request)
  t.match(response.json(), { error: { statusCode } })
  t.equal(response.statusCode, statusCode)
  const told = lines.filter(({ level }) => level === 50)
  t.equal(told.length, 1, 'one line')
  t.equal(told[0]?.method, method)
  t.equal((await server.inject('/api/Nothing')).statusCode, 404, 'the server goes on')
}

for (const [place, script, request, method, kind] of places) {
  for (const [way, body] of Object.entries(applicable(kind))) {
    void t.test(`${place} ${way}`, async (t) => {
      const app = await boot(t, script.replace('BODY', body))
      await expectFailure(t, app, request, { statusCode: 500, method })
    })
  }
  if (kind === 'sync') continue
  void t.test(`${place} never answers`, async (t) => {
    const app = await boot(t, script.replace('BODY', ''), { methodTimeout: 30 })
    await expectFailure(t, app, request, { statusCode: 503, method })
  })
}

void t.test('a text that is called back is in the log, without its secrets', async (t) => {
  const method =
    "Thing.work = done => done('no /x?access_token=abc'); Thing.remoteMethod('work', { http: { verb: 'get' } })"
  const { server, lines } = await boot(t, method)
  t.equal((await server.inject('/api/Things/work')).statusCode, 500)
  t.strictSame(
    lines.filter(({ level }) => level === 50).map(({ err }) => err as unknown),
    ['no /x?access_token=…']
  )
})

const lateScripts: readonly [string, string, string][] = [
  [
    'a method',
    "Thing.work = done => { Thing.late = done }; Thing.remoteMethod('work', { http: { verb: 'get' } })",
    '/api/Things/work'
  ],
  [
    'a hook that the loading of a record waits for',
    "Thing.prototype.run = done => done(); Thing.remoteMethod('prototype.run', { http: { verb: 'get' } }); Thing.observe('access', (ctx, next) => { Thing.late = next })",
    get
  ]
]
for (const [what, script, url] of lateScripts) {
  for (const error of [undefined, new Error('late')]) {
    void t.test(
      `${what} that answers too late disturbs nobody${error === undefined ? '' : ', with an error'}`,
      async (t) => {
        const { server } = await boot(t, script, { methodTimeout: 20 })
        t.equal((await server.inject(url)).statusCode, 503)
        const { late } = server.models.get('Thing') as unknown as { late: (error?: Error) => void }
        late(error)
        t.equal((await server.inject('/api/Nothing')).statusCode, 404)
      }
    )
  }
}
