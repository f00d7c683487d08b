import type { FastifyServerOptions } from 'fastify'
import t from 'tap'
import { makeIssuer } from './issuer.ts'
import { echo, makeApi, withToken } from './resource-app.ts'

const lenient = { routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true } }

/** Ways of writing /api/orders that some router reads as that. */
const disguises = [
  '/api/orders',
  '/api/orders/',
  '//api/orders',
  '/api//orders',
  '/API/orders',
  '/Api/Orders',
  '/%61pi/orders',
  '/a%70i/orders',
  '/%61%70%69/orders',
  '/api%2Forders',
  '/%2fapi/orders',
  '/api/orders?x=1',
  '/api/orders#x',
  '/api;x=1/orders',
  '/api/orders;x=1',
  '/%41PI/orders'
]

void t.test('attack: another way of writing a protected path', async (t) => {
  const server = await makeIssuer()
  for (const options of [{}, lenient, { useSemicolonDelimiter: true }] as readonly FastifyServerOptions[]) {
    const api = await makeApi(t, server, {
      server: options,
      options: { protect: ['/api'] },
      routes: (app) => {
        echo(app, '/api/orders')
        echo(app, '/api')
        echo(app, '/:section/orders')
        echo(app, '/public/*')
      }
    })
    for (const url of disguises) {
      const { statusCode } = await api.inject(url)
      t.ok([400, 401, 404].includes(statusCode), `${url}: ${statusCode}`)
    }
    t.equal((await api.inject('/public/api')).statusCode, 200, 'other paths are open')
  }
})

/** `inject` would parse what the header has. */
const rewriteUrl: FastifyServerOptions['rewriteUrl'] = ({ headers, url }) => String(headers['x-target'] ?? url)

void t.test('attack: segments of dots that lead a handler of files to a protected path', async (t) => {
  const server = await makeIssuer()
  const api = await makeApi(t, server, {
    server: { rewriteUrl },
    options: { protect: ['/files/private'] },
    routes: (app) => {
      echo(app, '/files/*')
      echo(app, '/open/:name')
    }
  })
  const statusOf = async (target: string): Promise<number> =>
    (await api.inject({ url: '/', headers: { 'x-target': target } })).statusCode
  for (const target of [
    '/files/public/../private/x',
    '/files/./private',
    '/files/a%2f..%2fprivate',
    '/files/a%5c..%5cprivate'
  ])
    t.equal(await statusOf(target), 401, target)
  for (const target of ['/files/public/x', '/files/a..b', '/open/a..b']) t.equal(await statusOf(target), 200, target)
})

void t.test('a path protects what lies below it, not what begins like it', async (t) => {
  const server = await makeIssuer()
  const routes = ['/api', '/api/x', '/apis', '/api-docs', '/users/me/profile', '/users/me', '/files/a/b']
  const api = await makeApi(t, server, {
    options: { protect: ['/api/', '/users/:name/profile', '/files/*'] },
    routes: (app) => {
      for (const route of routes) echo(app, route)
    }
  })
  const statuses = await Promise.all(routes.map(async (url) => (await api.inject(url)).statusCode))
  t.strictSame(statuses, [401, 401, 200, 200, 401, 200, 401])
  t.equal((await api.inject('/api/unknown')).statusCode, 401, 'nobody learns what exists')
  t.equal((await api.inject(withToken('/api/unknown', await server.sign()))).statusCode, 404)
})

void t.test('everything is protected by /', async (t) => {
  const server = await makeIssuer()
  const api = await makeApi(t, server, { options: { protect: '/' }, routes: (app) => echo(app, '/x') })
  for (const url of ['/', '/x', '/%', '/%ZZ', '/%E0%A4%A'])
    t.ok([400, 401].includes((await api.inject(url)).statusCode), url)
})

void t.test('what is no path is an error when the server starts', async (t) => {
  const server = await makeIssuer()
  for (const protect of ['api', '', '/(api)', '/a{1}', '/a?b', '/a\\b'])
    await t.rejects(makeApi(t, server, { options: { protect } }), { code: 'OAUTH_PATH_INVALID' }, protect)
})
