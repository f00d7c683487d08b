import fastify, { type FastifyRequest, type FastifyServerOptions } from 'fastify'
import t from 'tap'
import { requestPath } from '#src/request-path/request-path.ts'
import { splitTarget } from '#src/request-path/split-target.ts'
import { writePath } from '#src/request-path/write-path.ts'

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
