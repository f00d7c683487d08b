import t from 'tap'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { bootApp, type Files } from '../make-app.ts'
import { filesOf } from './answers.ts'

const tagScript = `module.exports = (Tag) => {
  Tag.fail = (cb) => cb(new Error('kaboom'))
  Tag.remoteMethod('fail', { http: { verb: 'get' } })
  Tag.text = (cb) => cb('just text')
  Tag.remoteMethod('text', { http: { verb: 'get' } })
}`
const handlerFile = `module.exports = (does) => (err, req, res, next) => {
  res.set({ 'x-seen': String(err.message || err), 'x-code': String(err.code) })
  if (does === 'answer') return res.status(err.statusCode || 555).json({ own: err.message, url: req.url, base: req.baseUrl })
  if (does === 'modify') Object.assign(err, { message: 'modified', statusCode: 499 })
  if (does === 'replace') return next(Object.assign(new Error('other'), { statusCode: 477 }))
  if (does === 'throw') throw Object.assign(new Error('thrown'), { statusCode: 478 })
  next(err)
}`

interface Case {
  readonly remoting?: object
  readonly final?: object
  readonly script?: string
}

function start(t: Test, { remoting = { rest: { handleErrors: false } }, final = {}, script }: Case) {
  const files: Files = {
    ...filesOf({ Tag: { file: { properties: { label: { type: 'string', required: true } } }, script: tagScript } }),
    'server/config.json': { restApiRoot: '/api', remoting },
    'server/middleware/own.js': handlerFile,
    'server/middleware.json': {
      routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } },
      files: {},
      final: { 'loopback#urlNotFound': {} },
      'final:after': { ...final, 'strong-error-handler': { params: { log: false } } }
    },
    ...(script === undefined ? {} : { 'server/boot/errors.js': `module.exports = (app) => { ${script} }` })
  }
  return bootApp(t, files)
}

async function get(server: FastifyInstance, url: string): Promise<readonly [number, unknown, unknown]> {
  const { statusCode, headers, body } = await server.inject(url)
  return [statusCode, headers['x-seen'], JSON.parse(body)]
}

const own = (does: string) => ({ final: { './middleware/own': { params: does } } })
const hidden = { error: { statusCode: 500, message: 'Internal Server Error' } }

t.test('middleware behind the REST API answers its errors where handleErrors is false', async (t) => {
  const server = await start(t, own('answer'))
  const url = '/api/Tags/fail'
  t.same(await get(server, url), [555, 'kaboom', { own: 'kaboom', url, base: '' }])
  t.same(await get(server, '/api/Tags/text'), [555, 'just text', { url: '/api/Tags/text', base: '' }])
  for (const [path, status] of [
    ['/api/Tags/9', 404],
    ['/api/Nope', 404],
    ['/api/Tags?filter={"where":1', 400],
    ['/nope', 404]
  ] as const)
    t.match(await get(server, path), [status, String, { own: String }], path)
  const created = await server.inject({ method: 'POST', url: '/api/Tags', payload: {} })
  t.match([created.statusCode, created.headers['x-seen']], [422, /label/])
  const broken = {
    method: 'POST',
    url: '/api/Tags',
    payload: '{"x',
    headers: { 'content-type': 'application/json' }
  } as const
  t.equal((await server.inject(broken)).statusCode, 400)
  t.same(await get(server, '/api/Tags'), [200, undefined, []])
})

t.test('it may change the error, replace it, or fail itself', async (t) => {
  const told = async (does: string) => get(await start(t, own(does)), '/api/Tags/fail')
  t.match(await told('modify'), [499, 'kaboom', { error: { statusCode: 499, message: 'modified' } }])
  t.match(await told('replace'), [477, 'kaboom', { error: { statusCode: 477, message: 'other' } }])
  t.match(await told('throw'), [478, 'kaboom', { error: { statusCode: 478, message: 'thrown' } }])
  t.same(await told('pass'), [500, 'kaboom', hidden])
})

t.test('handlers of scripts get them from the phase behind routes on', async (t) => {
  const answer = '(err, req, res, next) => res.status(555).json({ own: err.message, url: req.url })'
  const told = async (script: string) => get(await start(t, { script }), '/api/Tags/fail')
  t.same(await told(`app.middleware('routes:after', '/api', ${answer})`), [
    555,
    undefined,
    { own: 'kaboom', url: '/Tags/fail' }
  ])
  t.same(await told(`app.middleware('final', ${answer})`), [555, undefined, { own: 'kaboom', url: '/api/Tags/fail' }])
  t.same(await told(`app.middleware('routes:after', '/other', ${answer})`), [500, undefined, hidden])
  // They come first in routes, before the REST API.
  t.same(await told(`app.use(${answer})`), [500, undefined, hidden])
  // strong-error-handler has answered.
  t.same(await told(`app.middleware('final:after', ${answer})`), [500, undefined, hidden])
})

t.test('the REST API answers its errors itself unless handleErrors is false', async (t) => {
  for (const remoting of [{}, { rest: {} }, { rest: { handleErrors: true } }]) {
    const server = await start(t, { ...own('answer'), remoting })
    t.same(await get(server, '/api/Tags/fail'), [500, undefined, hidden])
    t.match(await get(server, '/nope'), [404, 'Cannot GET /nope', { own: 'Cannot GET /nope' }])
    t.equal((await server.inject('/nope')).headers['x-code'], 'URL_NOT_FOUND')
  }
})
