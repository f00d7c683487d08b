import t, { type Test } from 'tap'
import { bootApp } from '../../make-app.ts'

type Headers = Record<string, string>

interface Answer {
  status: number
  headers: Headers
}

async function ask(
  t: Test,
  cors: object,
  method: 'GET' | 'OPTIONS',
  url: string,
  headers: Headers = {}
): Promise<Answer> {
  const server = await bootApp(t, {
    'server/middleware.json': { initial: { cors }, routes: { 'loopback#rest': { paths: ['/api'] } } }
  })
  const answer = await server.inject({ method, url, headers })
  const shown = Object.entries(answer.headers).filter(([name]) => name === 'vary' || name.startsWith('access-control-'))
  return { status: answer.statusCode, headers: Object.fromEntries(shown) as Headers }
}

const asked = {
  origin: 'http://a.example',
  'access-control-request-method': 'PUT',
  'access-control-request-headers': 'x-one'
}
const verbs = { 'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE' }
const any = { 'access-control-allow-origin': '*' }

const preflights: [string, object, number, Headers][] = [
  [
    'anybody',
    {},
    204,
    { ...any, ...verbs, 'access-control-allow-headers': 'x-one', vary: 'Access-Control-Request-Headers' }
  ],
  [
    'one origin',
    { origin: 'http://b.example', maxAge: 60 },
    204,
    {
      ...verbs,
      'access-control-allow-origin': 'http://b.example',
      'access-control-allow-headers': 'x-one',
      'access-control-max-age': '60',
      vary: 'Origin, Access-Control-Request-Headers'
    }
  ],
  [
    'lists',
    {
      methods: ['GET', 'POST'],
      allowedHeaders: ['x-1', 'x-2'],
      exposedHeaders: ['x-3', 'x-4'],
      optionsSuccessStatus: 200
    },
    200,
    {
      ...any,
      'access-control-allow-methods': 'GET,POST',
      'access-control-allow-headers': 'x-1,x-2',
      'access-control-expose-headers': 'x-3,x-4'
    }
  ],
  ['nobody', { origin: false }, 404, {}]
]

for (const [name, params, status, headers] of preflights) {
  void t.test(`answers a preflight for ${name}`, async (t) => {
    t.strictSame(await ask(t, { params }, 'OPTIONS', '/api/Things', asked), { status, headers })
  })
}

void t.test('varies by origin where one origin is fixed', async (t) => {
  const headers = { 'access-control-allow-origin': 'http://b.example', vary: 'Origin' }
  t.strictSame(await ask(t, { params: { origin: 'http://b.example' } }, 'GET', '/api/Things'), { status: 200, headers })
})

void t.test('answers preflights of unknown paths, and OPTIONS that is none', async (t) => {
  t.match(await ask(t, { params: {} }, 'OPTIONS', '/nope', asked), { status: 204 })
  t.match(await ask(t, { params: {} }, 'OPTIONS', '/api/Things'), { status: 204 })
})

void t.test('keeps to its paths', async (t) => {
  const cors = { params: {}, paths: ['/api/things'] }
  t.match(await ask(t, cors, 'GET', '/api/Things?x=1'), { headers: any })
  t.match(await ask(t, cors, 'OPTIONS', '/api/Things/1', asked), { status: 204, headers: any })
  const { status, headers } = await ask(t, cors, 'GET', '/api/nope')
  t.equal(status, 404)
  t.notOk(headers['access-control-allow-origin'])
})

const settings2: [string, unknown, Headers][] = [
  [
    'by default',
    undefined,
    { 'access-control-allow-origin': 'http://a.example', 'access-control-allow-credentials': 'true', vary: 'Origin' }
  ],
  [
    'as remoting.cors says',
    { origin: 'http://b.example' },
    { 'access-control-allow-origin': 'http://b.example', vary: 'Origin' }
  ],
  ['not when it is false', false, {}]
]

for (const [name, cors, headers] of settings2) {
  void t.test(`version 2 has CORS ${name}`, async (t) => {
    const server = await bootApp(t, { 'server/config.json': { remoting: { cors } } }, { version: 2 })
    const answer = await server.inject({ url: '/api/Things', headers: { origin: 'http://a.example' } })
    t.match(answer.headers, headers)
    t.equal(
      Object.keys(answer.headers).filter((key) => key.startsWith('access-')).length,
      Object.keys(headers).filter((key) => key !== 'vary').length
    )
    const outside = await server.inject({ url: '/nope', headers: { origin: 'http://a.example' } })
    t.notOk(outside.headers['access-control-allow-origin'], 'nothing outside of the API')
  })
}
