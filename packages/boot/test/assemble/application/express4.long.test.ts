import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import t from 'tap'
import { bootApp } from '../../make-app.ts'

// What Express 4.22 answers in LoopBack 3.28 to the same scripts.

const start = (t: Test, script: string): Promise<FastifyInstance> =>
  bootApp(t, { 'server/boot/a.js': `module.exports = app => { ${script} }`, 'server/x.txt': 'file' })

const paths = [
  ['/p1/*', '/p1/a/b', { 0: 'a/b' }],
  ['/p1/*', '/p1', undefined],
  ['/p2/:a?', '/p2', {}],
  ['/p2/:a?', '/p2/x', { a: 'x' }],
  ['/p4*', '/p4x/y', { 0: 'x/y' }],
  ['/p5/:id(\\d+)', '/p5/12', { id: '12' }],
  ['/p5/:id(\\d+)', '/p5/x', undefined],
  ['/p6/:a/:b?', '/p6/1', { a: '1' }],
  ['/p7/:file(*)', '/p7/a/b.txt', { 0: 'a/b.txt', file: 'a/b.txt' }],
  ['/p8/(a|b)', '/p8/a', {}],
  ['/p8/(a|b)', '/p8/c', undefined],
  ['/p9?', '/p', {}],
  ['/p10+', '/p1000', {}],
  ['/p11/*/x', '/p11/a/b/x', { 0: 'a/b' }],
  ['/p12/:a-:b', '/p12/a-b', { a: 'a', b: 'b' }],
  ['/p13/:a.:b?', '/p13/a', { a: 'a' }],
  ['/p14(/x)?', '/p14/x', { 0: '/x' }],
  ['*/p17', '/z/p17', { 0: '/z' }],
  ['/p19/a(b)?c', '/p19/ac', {}],
  ['/p20/:a(\\w+)?', '/p20', {}],
  ['/p22/[ab]c', '/p22/ac', {}],
  ['/p23/:x([0-9]{2})', '/p23/123', undefined]
] as const

for (const [path, url, params] of paths)
  void t.test(`the path ${path} ${params === undefined ? 'leaves out' : 'takes'} ${url}`, async (t) => {
    const server = await start(t, `app.get(${JSON.stringify(path)}, (req, res) => res.json(req.params))`)
    const answer = await server.inject(url)
    t.equal(answer.statusCode, params === undefined ? 404 : 200)
    if (params !== undefined) t.strictSame(answer.json(), params)
  })

const json = 'application/json; charset=utf-8'
const html = 'text/html; charset=utf-8'
const plain = 'text/plain; charset=utf-8'

/** Code with `req` and `res`, then status, type and body of the answer. */
const answers = [
  ['res.send(201)', 201, plain, 'Created'],
  ['res.send(202, "hi")', 202, html, 'hi'],
  ['res.send("hi", 203)', 203, html, 'hi'],
  ['res.send(206, { a: 1 })', 206, json, '{"a":1}'],
  ['res.send({ a: 1 }, 207)', 207, json, '{"a":1}'],
  ['res.send(null)', 200, undefined, ''],
  ['res.send(true)', 200, json, 'true'],
  ['res.json(201, { a: 1 })', 201, json, '{"a":1}'],
  ['res.json({ a: 1 }, 202)', 202, json, '{"a":1}'],
  ['res.json(5)', 200, json, '5'],
  ['res.jsonp(201, { a: 1 })', 201, json, '{"a":1}'],
  ['res.redirect("/a", 301)', 301, plain, 'Moved Permanently. Redirecting to /a'],
  ['res.redirect(307, "/b")', 307, plain, 'Temporary Redirect. Redirecting to /b'],
  ['res.redirect("back")', 302, plain, 'Found. Redirecting to /from'],
  ['res.location("back").send("x")', 200, html, 'x'],
  ['res.contentType("text").send("x")', 200, plain, 'x'],
  ['res.sendStatus(299)', 299, plain, '299'],
  ['res.json([req.param("b"), req.param("c", "other")])', 200, json, '["q","other"]'],
  ['req.query = { x: 1 }; req.query.y = 2; res.json(req.query)', 200, json, '{"x":1,"y":2}'],
  ['res.json([req.res === res, res.req === req, typeof req.next])', 200, json, '[true,true,"function"]'],
  ['res.sendfile(file)', 200, 'text/plain; charset=UTF-8', 'file']
] as const

const ways = {
  'of middleware': (code: string) => `app.use('/run', (req, res) => { ${code} })`,
  'of a method': (code: string) => `
    const Thing = app.models.Thing
    Thing.run = (req, res) => { ${code} }
    Thing.remoteMethod('run', { http: { verb: 'get', path: '/run' }, accepts: ['req', 'res'].map(arg =>
      ({ arg, type: 'object', http: { source: arg } })) })`
}

for (const [way, scriptOf] of Object.entries(ways))
  for (const [code, status, type, body] of answers)
    void t.test(`a handler ${way} may say ${code}`, async (t) => {
      const server = await start(t, `const file = require('path').join(__dirname, '..', 'x.txt'); ${scriptOf(code)}`)
      const url = way === 'of middleware' ? '/run?b=q' : '/api/Things/run?b=q'
      const answer = await server.inject({ url, headers: { referer: '/from', accept: '*/*' } })
      t.equal(answer.statusCode, status)
      t.equal(answer.headers['content-type'], type)
      t.equal(answer.body, body)
    })

for (const [way, scriptOf] of Object.entries(ways))
  void t.test(`headers ${way} may be lists and numbers, and Vary grows`, async (t) => {
    const code = `res.vary('A'); res.vary(['A', 'C']); res.set('x-b', ['1', '2']); res.set({ 'x-n': 5 }); res.end()`
    const { headers } = await (
      await start(t, scriptOf(code))
    ).inject(way === 'of middleware' ? '/run' : '/api/Things/run')
    t.match(headers, { 'x-b': ['1', '2'], 'x-n': '5' })
    t.match(headers['vary'], /A, C$/)
  })

/** Calls at the start: false where Express 4 throws. */
const calls = [
  ["router.get('/')", true],
  ["router.get('/', [])", true],
  ["app.post('/x')", true],
  ["app.all('/x')", true],
  ["app.route('/x').get()", true],
  ['app.param((name, fn) => fn)', true],
  ["app.del('/x', () => {})", true],
  ["router.get('/', undefined)", false],
  ["router.use('/x')", false],
  ["app.use('/x', [])", false],
  ["app.get('/x', {})", false],
  ["app.post('/x', () => {}, undefined)", false],
  ["app.route('/x').get(undefined)", false]
] as const

for (const [call, works] of calls)
  void t.test(`${call} is ${works ? 'taken' : 'refused'}`, async (t) => {
    const script = `const router = app.loopback.Router(); ${call}; app.use(router.get('/y', () => {}))`
    if (works) await t.resolves(start(t, script))
    else await t.rejects(start(t, script), { code: 'SCRIPT_ARGUMENT_INVALID' })
  })

void t.test('a response of middleware has the application', async (t) => {
  const server = await start(t, `app.use('/run', (req, res) => res.json([res.app === app, req.app === app]))`)
  t.strictSame((await server.inject('/run')).json(), [true, true])
})

void t.test('functions of parameters', async (t) => {
  const server = await start(
    t,
    `app.param((name, test) => {
       if (test instanceof RegExp) return (req, res, next, value) => test.test(value) ? next() : next('route')
     })
     app.param('num', /^\\d+$/)
     app.param('who', (req, res, next, value, name) => { req.who = value + name; next() })
     app.get('/num/:num', (req, res) => res.json(req.params))
     app.get('/who/:who', (req, res) => res.json(req.who))`
  )
  t.strictSame((await server.inject('/num/5')).json(), { num: '5' })
  t.equal((await server.inject('/num/x')).statusCode, 404)
  t.equal((await server.inject('/who/me')).json(), 'mewho')
})

void t.test('an application of Express hears where it is mounted, and gives requests back as they were', async (t) => {
  const server = await start(
    t,
    `const sub = Object.assign((req, res, next) => sub.handle(req, res, next), {
       set() {}, emit: (event, parent) => { app.told = [event, parent === app, sub.mountpath, sub.parent === app] },
       handle(req, res, next) {
         Object.setPrototypeOf(req, Object.create(Object.getPrototypeOf(req), { odd: { value: 1 } }))
         req.app = sub
         next()
       }
     })
     app.use('/x', sub)
     app.use('/x', (req, res) => res.json([req.odd === undefined, req.app === app, req.url]))`
  )
  t.strictSame(server.loopback['told'], ['mount', true, '/x', true])
  t.strictSame((await server.inject('/x/y')).json(), [true, true, '/y'])
})

void t.test('an asynchronous handler that rejects is an error of the request', async (t) => {
  const server = await start(
    t,
    `app.get('/x', async () => { throw Object.assign(new Error('no'), { statusCode: 418 }) })`
  )
  t.equal((await server.inject('/x')).statusCode, 418)
})

for (const change of ['req.query = { ...req.query, filter: other }', 'req.query.filter = other'])
  void t.test(`the REST API reads what middleware made of the query: ${change}`, async (t) => {
    const other = JSON.stringify(JSON.stringify({ where: { label: 'b' } }))
    const server = await start(
      t,
      `app.middleware('routes:before', (req, res, next) => {
        const other = ${other}
        if (req.query.filter === 'mine') ${change}
        next()
      })`
    )
    await server.models.get('Thing').create([{ label: 'a' }, { label: 'b' }])
    t.match((await server.inject('/api/Things?filter=mine')).json(), [{ label: 'b' }])
    t.equal((await server.inject('/api/Things')).json<unknown[]>().length, 2)
  })
