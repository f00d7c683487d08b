import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import t, { type Test } from 'tap'
import { bootApp, type Files } from '../../make-app.ts'

/** `inject` writes a target in its own way: the header has it as a client wrote it. */
const rewriteUrl: NonNullable<FastifyServerOptions['rewriteUrl']> = ({ headers, url = '' }) =>
  headers['x-target'] === undefined ? url : String(headers['x-target'])

const ask = async (server: FastifyInstance, target: string) =>
  server.inject({ url: '/', headers: { 'x-target': target } })

const start = async (t: Test, body: string, files: Files = {}): Promise<FastifyInstance> =>
  bootApp(t, { ...files, 'server/boot/a.js': `module.exports = app => { ${body} }` }, { fastify: { rewriteUrl } })

const show = 'res.json([req.url, req.path, req.originalUrl, req.query])'

void t.test('handlers see the path in one spelling, and beside it what the client wrote', async (t) => {
  const server = await start(t, `app.use((req, res, next) => { if (req.query.show) ${show}; else next() })`)
  const cases = [
    ['/api/%54hings?show=%2541', '/api/Things'],
    ['//api//Things/%C3%a9;%2f?show=%2541', '/api/Things/%C3%A9%3B%2F'],
    ['http://elsewhere/docs/%61/?show=%2541', '/docs/a/']
  ] as const
  for (const [target, path] of cases)
    t.strictSame((await ask(server, target)).json(), [`${path}?show=%2541`, path, target, { show: '%41' }])
})

void t.test('Fastify and the REST API have the URL that the client wrote, unless a handler changes it', async (t) => {
  const server = await start(
    t,
    `app.use('/api', (req, res, next) => { if (req.query.hide) req.url = req.url.replace(/limit=1/, 'limit=2'); next() })`
  )
  for (const label of ['a', 'b', 'c']) await server.inject({ method: 'POST', url: '/api/Things', payload: { label } })
  const count = async (target: string): Promise<number> => (await ask(server, target)).json<unknown[]>().length
  t.equal(await count('/api//%54hings?filter[limit]=1'), 1)
  t.equal(await count('/api/Things?hide=1&filter=%7B%22limit%22:1%7D'), 1)
  const where = encodeURIComponent('{"where":{"label":{"inq":["a","%25"]}}}')
  t.equal(await count(`/api/%54hings?filter=${where}`), 1)
  t.match((await ask(server, '/%6eope')).json(), { error: { message: 'Cannot GET /%6eope' } })
})

void t.test('segments of dots, which file servers understand in their own way, are refused', async (t) => {
  const server = await start(t, 'app.use("/private", (req, res) => res.sendStatus(403))', {
    'client/private/page.html': 'page',
    'server/middleware.json': {
      initial: {},
      routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } },
      files: { 'loopback#static': { params: '$!../client' } },
      final: { 'loopback#urlNotFound': {} }
    }
  })
  t.equal((await ask(server, '/private/page.html')).statusCode, 403)
  for (const target of [
    '/x/../private/page.html',
    '/x/%2e%2E/private/page.html',
    '/x%2f..%2fprivate/page.html',
    '/./x'
  ]) {
    const answer = await ask(server, target)
    t.strictSame(
      [answer.statusCode, answer.json()],
      [
        400,
        {
          error: {
            statusCode: 400,
            name: 'Error',
            message: 'the path of the request contains dot segments',
            code: 'REQUEST_PATH_INVALID'
          }
        }
      ],
      target
    )
  }
  t.equal((await ask(server, '/private/.page')).statusCode, 403)
})

void t.test(
  'a target without a path, or with one that cannot be decoded, is a 400 before a handler sees it',
  async (t) => {
    const server = await start(t, 'app.use((req, res) => res.json("seen"))')
    for (const target of ['/%', '/api/%ZZ', '/%C3%28', '/a/%E0%A4%A', '/x/%00%ff'])
      t.equal((await ask(server, target)).statusCode, 400, target)
    t.match((await ask(server, '*')).json(), { error: { statusCode: 400, code: 'REQUEST_PATH_INVALID' } })
  }
)
