import t from 'tap'
import { bootApp, notesOf, refusal } from '../make-app.ts'

/** What a method of a script may come to, and the status of the answer. */
const results: readonly [string, string, number][] = [
  ['nothing', 'undefined', 204],
  ['a function', '() => 1', 200],
  ['a symbol', 'Symbol("x")', 200],
  ['a big number', '10n', 500],
  ['what contains itself', '(() => { const a = {}; a.a = a; return a })()', 500],
  ['what cannot be read', '({ get x() { throw new Error("no") } })', 500],
  ['what cannot be turned into JSON', '({ toJSON() { throw new Error("no") } })', 500],
  ['a class', 'class A {}', 200],
  ['a promise of a promise', 'Promise.resolve(Promise.resolve({ x: 1 }))', 200],
  ['an error that is no failure', 'new Error("x")', 200]
]
for (const [what, code, status] of results) {
  for (const [way, body] of [
    ['gives', `return Promise.resolve(${code})`],
    ['calls back', `done(null, ${code})`]
  ] as const) {
    void t.test(`a method that ${way} ${what} is answered`, async (t) => {
      const script = `module.exports = Thing => {
        Thing.work = function (done) { ${body} }
        Thing.remoteMethod('work', { returns: { arg: 'r', type: 'any', root: true }, http: { verb: 'get' } })
      }`
      const server = await bootApp(t, { 'common/models/thing.js': script })
      const response = await server.inject('/api/Things/work')
      t.equal(response.statusCode, status, response.body)
      t.equal((await server.inject('/api/Things')).statusCode, 200)
    })
  }
}

const oddHooks: readonly [string, string][] = [
  ['a hook gives a value', "Thing.observe('access', () => 'x'); Thing.beforeRemote('find', () => 5)"],
  ['a hook calls next twice', "Thing.beforeRemote('find', (ctx, unused, next) => { next(); next() })"],
  ['an async hook declares next and does not call it', "Thing.observe('access', async (ctx, next) => {})"],
  [
    'a hook calls next and then rejects',
    "Thing.beforeRemote('find', (ctx, unused, next) => { next(); return Promise.reject(new Error('late')) })"
  ],
  ['a hook takes the query away', "Thing.observe('access', async ctx => { ctx.query = undefined })"]
]
for (const [what, script] of oddHooks) {
  void t.test(`the call goes on when ${what}`, async (t) => {
    const server = await bootApp(t, { 'common/models/thing.js': `module.exports = Thing => { ${script} }` })
    t.strictSame((await server.inject('/api/Things')).json(), [])
  })
}

void t.test('a hook that calls back twice is named in the log', async (t) => {
  const script = `module.exports = Thing => {
    Thing.beforeRemote('find', (ctx, unused, next) => { next(); next() })
    Thing.observe('access', (ctx, next) => { next(); next() })
  }`
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const server = await bootApp(t, { 'common/models/thing.js': script }, { logger: { level: 'warn', stream } })
  t.strictSame((await server.inject('/api/Things')).json(), [])
  const text = lines.join('')
  t.match(text, 'Thing.find called back twice')
  t.match(text, 'of Thing called back twice')
})

void t.test('a method of a model file without a function says so', async (t) => {
  const server = await bootApp(t, {
    'common/models/thing.json': { name: 'Thing', methods: { work: { http: { verb: 'get' } } } }
  })
  t.match((await server.inject('/api/Things/work')).json(), { error: { statusCode: 501 } })
})

void t.test('scripts that export nothing useful are passed over', async (t) => {
  for (const script of ['module.exports = 5', 'module.exports = null', '']) {
    const server = await bootApp(t, { 'common/models/thing.js': script, 'server/boot/odd.js': script })
    t.equal((await server.inject('/api/Things')).statusCode, 200)
    t.ok(notesOf(server).some((note) => note.startsWith('server/boot/odd.js')))
  }
})

const failing: readonly [string, string][] = [
  ['throws', '() => { throw new Error("broken") }'],
  ['throws nothing', '() => { throw undefined }'],
  ['rejects', 'async () => { throw new Error("broken") }'],
  ['rejects with a text', '() => Promise.reject("broken")']
]
const mixed = { name: 'Thing', base: 'PersistedModel', mixins: { Odd: true }, properties: {} }
const scripts: readonly [string, string, object][] = [
  ['model script', 'common/models/thing.js', {}],
  ['boot script', 'server/boot/odd.js', {}],
  ['mixin', 'common/mixins/odd.js', { 'common/models/thing.json': mixed }]
]
for (const [kind, file, more] of scripts) {
  for (const [way, code] of failing) {
    void t.test(`a ${kind} that ${way} stops the start`, async (t) => {
      t.strictSame(await refusal(t, { [file]: `module.exports = ${code}`, ...more }), { code: 'SCRIPT_FAILED', file })
    })
  }
  void t.test(`a ${kind} with a mistake in its text stops the start`, async (t) => {
    t.strictSame(await refusal(t, { [file]: 'module.exports = (', ...more }), { code: 'SCRIPT_FAILED', file })
  })
}

void t.test('a boot script that calls back an error stops the start', async (t) => {
  const file = 'server/boot/odd.js'
  t.strictSame(await refusal(t, { [file]: 'module.exports = (app, done) => done(new Error("no"))' }), {
    code: 'SCRIPT_FAILED',
    file
  })
})

void t.test('a boot script that calls back twice is done the first time', async (t) => {
  const server = await bootApp(t, {
    'server/boot/odd.js': 'module.exports = (app, done) => { done(); done(new Error("late")) }'
  })
  t.equal((await server.inject('/api/Things')).statusCode, 200)
})

const middleware: readonly [string, string][] = [
  ['throws', '(req, res, next) => { throw new Error("broken") }'],
  ['rejects', 'async () => { throw new Error("broken") }'],
  ['hands on an error', '(req, res, next) => next(new Error("broken"))'],
  ['hands on a text', '(req, res, next) => next("broken")']
]
for (const [way, code] of middleware) {
  void t.test(`middleware of Express that ${way} is one answer`, async (t) => {
    const server = await bootApp(t, { 'server/boot/odd.js': `module.exports = app => { app.get('/odd', ${code}) }` })
    const response = await server.inject('/odd')
    t.equal(response.statusCode, 500)
    t.match(response.json(), { error: { statusCode: 500 } })
    t.equal((await server.inject('/api/Things')).statusCode, 200)
  })
}
