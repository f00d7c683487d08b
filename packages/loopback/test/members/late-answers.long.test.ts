import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { bootApp, type Files } from '../make-app.ts'

/** Each is done in a remote hook: at once, or when the hook has long returned. */
const answers: readonly (readonly [string, string, number, unknown])[] = [
  ['a page', "res.render('page.t', { name: 'Ann' })", 200, 'Hello Ann'],
  ['a page that throws', "res.render('throws.t')", 500, undefined],
  ['a page that is not there', "res.render('absent.t')", 500, undefined],
  ['a page without a view engine', "res.render('page')", 500, undefined],
  ['a page of an engine that is not installed', "res.render('page.nowhere')", 500, undefined],
  [
    'a page for a callback',
    "res.render('page.t', { name: 'B' }, (error, text) => res.send('<' + text + '>'))",
    200,
    '<Hello B>'
  ],
  ['a file', 'res.sendFile(file)', 200, 'Hello <name>'],
  ['a file with a type', "res.type('.css').sendFile(file)", 200, 'Hello <name>'],
  ['a file of a relative path', "res.sendFile('page.t')", 500, undefined],
  ['a file that is not there', "res.sendFile(file + '.x')", 404, undefined],
  ['a folder', 'res.sendFile(folder)', 404, undefined],
  ['a file of the working directory', 'res.sendfile(file)', 200, 'Hello <name>'],
  ['a download', "res.download(file, 'a.txt')", 200, 'Hello <name>'],
  ['a download that is not there', "res.download(file + '.x')", 404, undefined],
  ['a redirect', "res.redirect('/x')", 302, undefined],
  ['a redirect to nowhere', 'res.redirect(undefined)', 500, undefined],
  ['a redirect of another status', "res.redirect(99, '/x')", 500, undefined],
  ['a format', "res.format({ html: () => res.send('h'), json: () => res.json('j') })", 200, '"j"'],
  ['a format that nobody takes', "res.format({ 'image/png': () => res.send('') })", 406, undefined],
  ['JSON', 'res.json({ a: 1 })', 200, '{"a":1}'],
  ['what is no JSON', 'res.json({ a: 1n })', 500, undefined],
  ['JSONP', 'res.jsonp({ a: 1 })', 200, '{"a":1}'],
  ['a status', 'res.sendStatus(202)', 202, 'Accepted'],
  ['a status that is none', 'res.sendStatus(99)', 500, undefined],
  ['a status that is none and a body', "res.status('x').send('y')", 500, undefined],
  ['a header that cannot be sent', "res.set('X-A', 'a\\r\\nb').send('y')", 500, undefined],
  [
    'cookies and links',
    "res.cookie('a', 'b').clearCookie('c').links({ next: '/n' }).append('x', 'y').attachment('a.png').send('z')",
    200,
    'z'
  ],
  ['a signed cookie without a secret', "res.cookie('a', 'b', { signed: true }).send('z')", 500, undefined],
  ['an error for next', "req.next(Object.assign(new Error('no'), { statusCode: 418 }))", 418, undefined],
  ['nothing for next', 'req.next()', 404, undefined],
  ['a text for next', "req.next('no')", 500, undefined]
]

const script = `module.exports = app => {
  app.engine('t', (path, options, callback) => {
    const text = require('fs').readFileSync(path, 'utf8')
    if (path.endsWith('throws.t')) throw new Error('the template throws')
    callback(null, text.replace('<name>', options.name))
  })
  app.set('called', 0)
  const file = require('path').join(__dirname, '../views/page.t'), folder = require('path').dirname(file)
  const answers = [${answers.map(([, code]) => `(req, res) => { ${code} }`).join(',\n')}]
  app.remotes().before('Thing.find', (ctx, next) => {
    const { which, when } = ctx.req.query
    if (which === undefined) return next()
    const { req, res } = ctx
    const run = () => answers[which](req, res)
    if (when === 'now') run()
    else if (when === 'later') setImmediate(run)
    else if (when === 'next') { run(); next() }
    else { res.send('first'); run(); setImmediate(() => { run(); app.emit('ran') }) }
  })
  app.remotes().before('Thing.count', (ctx, next) => { app.set('called', app.get('called') + 1); next() })
}`

const files: Files = {
  'server/boot/a.js': script,
  'server/views/page.t': 'Hello <name>',
  'server/views/throws.t': '',
  'views/page.t': 'Hello <name>',
  'views/throws.t': ''
}
const withExpress: Files = { 'server/boot/b.js': 'module.exports = app => { app.use((req, res, next) => next()) }' }

async function checkAnswers(t: Test, server: FastifyInstance, when: 'now' | 'later'): Promise<void> {
  for (const [at, [name, , statusCode, body]] of answers.entries()) {
    const answer = await server.inject({
      url: `/api/Things?which=${at}&when=${when}`,
      headers: { accept: 'application/json' }
    })
    t.equal(answer.statusCode, statusCode, `${name}, ${when}: ${answer.body}`)
    if (body !== undefined) t.equal(answer.body, body, name)
    else if (statusCode >= 400) t.match(answer.json(), { error: { statusCode } }, name)
  }
}

for (const [kind, more] of [
  ['without middleware of Express', {}],
  ['behind middleware of Express', withExpress]
] as const) {
  void t.test(`functions of the response answer in a hook and later, ${kind}`, async (t) => {
    const server = await bootApp(t, { ...files, ...more })
    await checkAnswers(t, server, 'now')
    await checkAnswers(t, server, 'later')
    t.equal((await server.inject('/api/Things')).body, '[]', 'the server goes on')
  })

  void t.test(`what comes after an answer changes nothing, ${kind}`, async (t) => {
    const server = await bootApp(t, { ...files, ...more })
    for (const [at, [name]] of answers.entries()) {
      const ran = new Promise((resolve) => void server.loopback.once('ran', resolve))
      const answer = await server.inject(`/api/Things?which=${at}&when=after`)
      t.strictSame([answer.statusCode, answer.body], [200, 'first'], name)
      await ran
    }
    t.equal((await server.inject('/api/Things')).body, '[]', 'the server goes on')
  })

  void t.test(`a hook may answer and go on, ${kind}`, async (t) => {
    const server = await bootApp(t, { ...files, ...more })
    for (const [at, [name, code]] of answers.entries()) {
      const { statusCode } = await server.inject(`/api/Things?which=${at}&when=next`)
      t.ok(statusCode === 200 || statusCode === answers[at]?.[2], `${name}: ${code}`)
    }
  })
}

void t.test('the method does not run when the answer failed in a hook', async (t) => {
  const server = await bootApp(t, {
    'common/models/thing.js': `module.exports = Thing => {
      Thing.beforeRemote('create', (ctx, record, next) => { ctx.res.set('x', ctx.args.data.label); next() })
    }`
  })
  const create = async (label: string) => server.inject({ method: 'POST', url: '/api/Things', payload: { label } })
  t.equal((await create('a\r\nb')).statusCode, 500)
  t.equal((await create('a')).statusCode, 200)
  t.equal((await server.inject('/api/Things')).json<unknown[]>().length, 1)
})

void t.test('scripts find the application behind a request', async (t) => {
  const server = await bootApp(t, {
    'common/models/thing.js': `module.exports = Thing => {
      Thing.beforeRemote('find', (ctx, _, next) => ctx.res.json([ctx.req.app === Thing.app, ctx.req.accepts('html', 'json'), ctx.req.is('json')]))
    }`
  })
  t.strictSame((await server.inject({ url: '/api/Things', headers: { accept: 'application/json' } })).json(), [
    true,
    'json',
    null
  ])
})

void t.test('a handler of Express that renders when it has gone on ends nothing', async (t) => {
  const server = await bootApp(t, {
    'server/boot/a.js': `module.exports = app => app.use((req, res, next) => {
      next()
      if (req.query.late) res.once('finish', () => { res.render('absent'); app.emit('ran') })
    })`
  })
  const ran = new Promise((resolve) => void server.loopback.once('ran', resolve))
  t.equal((await server.inject('/api/Things?late=1')).body, '[]')
  await ran
  await new Promise((resolve) => setImmediate(resolve))
  t.equal((await server.inject('/api/Things')).body, '[]')
})
