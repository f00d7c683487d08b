import fastify, { type FastifyRequest, type FastifyServerOptions } from 'fastify'
import t from 'tap'
import {
  requestPath,
  writtenQuery,
  originForm,
  parsedTarget,
  splitTarget,
  writtenPath,
  writePath
} from '#src/requests/request-target.ts'

const lenient = { routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true } }

const semicolons: object = { routerOptions: { useSemicolonDelimiter: true } }

/** The route declared, what a client writes, and the path that both mean. */
const routed: readonly (readonly [string, string, string])[] = [
  ['/api/Secret', '/api/%53ecret', '/api/Secret'],
  ['/api/Secret', '/API//sEcret/?a=%2F', '/API/sEcret?a=%2F'],
  ['/api/Secret', 'HTTP://elsewhere:80/api/Secret', '/api/Secret'],
  ['/api/Secret', '/api/Secret#x?y', '/api/Secret?x?y'],
  ['/straße/É', '/stra%E1%BA%9Ee/%C3%A9', '/stra%C3%9Fe/%C3%89'],
  ['/api/:id', '/api/%41b%2Fc%3B', '/api/Ab%2Fc%3B'],
  ['/api/:id', '/api/%252e', '/api/%252e'],
  ['/api/:id', '/api/..', '/api/%2E%2E'],
  ['/api/:id', '/api/%2e', '/api/%2E'],
  ['/api/:id', '/api/me%40x.org', '/api/me@x.org'],
  ['/api/:id?', '/api', '/api'],
  ['/api/:id/x/:id', '/api/a/x/b', '/api/a/x/b'],
  ['/api/:from-:to/x', '/API/1-2/X', '/API/1-2/X'],
  ['/api/:id(^\\d+$)', '/api/%31', '/api/1'],
  ['/api/::all', '/api/:ALL', '/api/:ALL'],
  ['/files/*', '/files/a%2Fb//c%5Cd', '/files/a/b/c/d'],
  ['/files/*', '/FILES/%2e%2e/x', '/FILES/%2E%2E/x'],
  ['/files/pre*', '/files/prefix', '/files/prefix'],
  ['*', '/%61//b', '/a/b'],
  ['/', '/', '/']
]

/** `inject` writes a target in its own way: the header has it as a client wrote it. */
const rewriteUrl: NonNullable<FastifyServerOptions['rewriteUrl']> = ({ headers }) =>
  decodeURIComponent(String(headers['x-target']))

async function pathOf(pattern: string, target: string, options: FastifyServerOptions = lenient): Promise<string> {
  const server = fastify({ ...options, rewriteUrl })
  const answer = (request: FastifyRequest): string => {
    const path = requestPath(request)
    return `${request.is404 ? '404 ' : ''}${path === undefined ? 'none' : writePath(path)}`
  }
  server.route({ method: 'GET', url: pattern, handler: async (request) => answer(request) })
  server.setNotFoundHandler(async (request) => answer(request))
  const { body } = await server.inject({ url: '/', headers: { 'x-target': encodeURIComponent(target) } })
  await server.close()
  return body
}

for (const [pattern, url, path] of routed) {
  void t.test(`${url} is ${path} where it leads to ${pattern}`, async (t) => {
    t.equal(await pathOf(pattern, url), path)
  })
}

void t.test('a request without a route has the path that the client wrote', async (t) => {
  t.equal(await pathOf('/x', '/A//%62%2Fc/?q'), '404 /A/b%2Fc/?q')
  t.equal(await pathOf('/x', '/y;z?q'), '404 /y%3Bz?q')
  t.equal(await pathOf('/x', '*'), '404 none')
})

void t.test('a semicolon ends the path where the server says so', async (t) => {
  t.equal(await pathOf('/x', '/%78;y?z', semicolons), '/x?y?z')
  t.equal(await pathOf('/:id', '/x%3By', semicolons), '/x%3By')
})

void t.test('a target without a path, or that cannot be decoded, has none', async (t) => {
  for (const target of ['*', 'foo:/x', '', 'x/y', '/%', '/%ZZ', '/%C3%28', '/a/%E0%A4%A'])
    t.equal(splitTarget(target), undefined, target)
  t.strictSame(splitTarget('http://a'), { segments: [], endsWithSlash: true, query: undefined })
  t.strictSame(splitTarget('http://a?b'), { segments: [], endsWithSlash: true, query: 'b' })
})

void t.test('a query begins where it begins for the router, too', async (t) => {
  const targets = [
    '/x',
    '/x?',
    '/x?a=1',
    '/x#?a=1',
    '/x?a#b?c',
    '/x;a=1',
    '/x;a=1?b=2',
    'http://h?a=1',
    'http://h/x?a=/b'
  ]
  for (const useSemicolonDelimiter of [false, true]) {
    const routerOptions: object = { useSemicolonDelimiter, querystringParser: (text: string) => ({ text }) }
    const server = fastify({ rewriteUrl, routerOptions })
    const handler = async (request: FastifyRequest) => ({ read: writtenQuery(request), ...(request.query as object) }) // made above
    server.route({ method: 'GET', url: '*', handler })
    for (const target of targets) {
      const answer = await server.inject({ url: '/', headers: { 'x-target': encodeURIComponent(target) } })
      const { read, text = '' } = answer.json<{ read: string; text?: string }>()
      t.equal(read, text, target)
    }
    await server.close()
  }
})

void t.test('a target loses its origin alone', async (t) => {
  for (const [target, form] of [
    ['/a//b/../%2e?c#d', { authority: undefined, target: '/a//b/../%2e?c#d' }],
    ['//a/b', { authority: undefined, target: '//a/b' }],
    ['http://a:1/b?c', { authority: 'a:1', target: '/b?c' }],
    ['HTTPS://a', { authority: 'a', target: '/' }],
    ['http://a?b', { authority: 'a', target: '/?b' }],
    ['http:///b', undefined],
    ['http://a/b#c', undefined],
    ['*', undefined],
    ['a/b', undefined],
    ['ftp://a/b', undefined],
    ['', undefined]
  ] as const)
    t.strictSame(originForm(target), form, target)
  t.equal(writtenPath({ url: 'http://a/b?c?d' }), '/b')
  t.equal(writtenPath({ url: '*' }), '*')
})

void t.test('a target that a parser of URLs would change is not parsed', async (t) => {
  t.equal(parsedTarget('/a?b={"c":"ä"}'), '/a?b=%7B%22c%22:%22%C3%A4%22%7D')
  for (const target of ['/', '//a/b', '/a;b/%5c%2f?c=%23', '/%2e%2e%2fa']) t.equal(parsedTarget(target), target)
  for (const target of ['/a\\b', '/a/../b', '/%2e%2e/b', '/.', '/a#b', '/a\tb', '/\ud800'])
    t.equal(parsedTarget(target), undefined, target)
})
