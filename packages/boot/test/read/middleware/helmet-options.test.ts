import t from 'tap'
import { helmetOptions, isHelmetPart } from '#src/read/middleware/helmet-options.ts'
import { bootApp } from '../../make-app.ts'

void t.test('everything is off but what is wanted', async (t) => {
  const options = helmetOptions(new Map([['noSniff', undefined]]))
  const on = Object.entries(options).filter(([, value]) => value !== false)
  t.strictSame(on, [['xContentTypeOptions', true]])
})

void t.test('takes the old names of parameters', async (t) => {
  const options = helmetOptions(new Map([['hsts', { maxAge: 0, includeSubdomains: true }]]))
  t.strictSame(options['strictTransportSecurity'], { maxAge: 0, includeSubDomains: true })
})

void t.test('knows the parts of old', async (t) => {
  for (const name of ['frameguard', 'csp', 'noCache']) t.ok(isHelmetPart(name))
  t.notOk(isHelmetPart('publicKeyPins'))
})

void t.test('sets the headers of a generated application', async (t) => {
  const server = await bootApp(t, {
    'server/middleware.json': {
      initial: {
        'helmet#xssFilter': {},
        'helmet#frameguard': { params: { action: 'deny' } },
        'helmet#hsts': { params: { maxAge: 0, includeSubdomains: true } },
        'helmet#hidePoweredBy': {},
        'helmet#ieNoOpen': {},
        'helmet#noSniff': {},
        'helmet#noCache': { enabled: false }
      },
      routes: { 'loopback#rest': { paths: ['/api'] } }
    }
  })
  const { headers } = await server.inject('/api/Things')
  t.match(headers, {
    'x-xss-protection': '0',
    'x-frame-options': 'DENY',
    'strict-transport-security': 'max-age=0; includeSubDomains',
    'x-download-options': 'noopen',
    'x-content-type-options': 'nosniff'
  })
  for (const name of ['content-security-policy', 'cross-origin-opener-policy', 'cache-control', 'x-powered-by'])
    t.notOk(headers[name], name)
})

void t.test('keeps answers out of caches', async (t) => {
  const server = await bootApp(t, { 'server/middleware.json': { initial: { 'helmet#noCache': {} } } })
  t.match((await server.inject('/nope')).headers, { 'cache-control': /no-store/, pragma: 'no-cache' })
})

void t.test('helmet alone switches its old parts on', async (t) => {
  const server = await bootApp(t, {
    'server/middleware.json': { initial: { helmet: { params: { frameguard: { action: 'deny' } } } } }
  })
  t.match((await server.inject('/nope')).headers, { 'x-frame-options': 'DENY', 'x-dns-prefetch-control': 'off' })
})

void t.test('the action of frameguard may be a text', async (t) => {
  t.strictSame(helmetOptions(new Map([['frameguard', 'DENY']]))['xFrameOptions'], { action: 'deny' })
})
