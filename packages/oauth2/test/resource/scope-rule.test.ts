import t from 'tap'
import type { AuthenticateOptions } from '#src/index.ts'
import { makeIssuer } from './issuer.ts'
import { echo, makeApi, withToken } from './resource-app.ts'

async function apiWith(t: Parameters<typeof makeApi>[0], rule: AuthenticateOptions, unmapped?: 'allow') {
  const server = await makeIssuer()
  const api = await makeApi(t, server, {
    ...(unmapped === undefined ? {} : { options: { unmapped } }),
    routes: (app) => {
      app.resourceServer.authenticate('/api', rule)
      echo(app, '/api/orders')
      echo(app, '/api/orders/:id')
      echo(app, '/api/in/:section/:id')
    }
  })
  return async (scope: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' = 'GET', url = '/api/orders') =>
    (await api.inject(withToken(url, await server.sign({ scope }), { method }))).statusCode
}

void t.test('one of the scopes of a list is enough', async (t) => {
  for (const rule of [
    { scope: 'email phone' },
    { scopes: ['email', 'phone'] },
    { scope: 'email,phone' },
    { scope: ['email phone'] }
  ]) {
    const ask = await apiWith(t, rule)
    t.equal(await ask('email'), 200)
    t.equal(await ask('other phone'), 200)
    for (const scope of ['', 'other', 'emai', 'emailx', 'EMAIL', 'email.read']) t.equal(await ask(scope), 403, scope)
  }
})

const mapping = {
  scope: { read: [{ methods: 'get', path: '/api/orders' }], write: [{ methods: ['post', 'put'], path: '/api/orders' }] }
}

void t.test('a mapping ties scopes to methods and paths', async (t) => {
  const ask = await apiWith(t, mapping)
  t.equal(await ask('read'), 200)
  t.equal(await ask('read', 'GET', '/api/orders/5'), 200, 'what lies below belongs to it')
  t.equal(await ask('write'), 403)
  t.equal(await ask('write', 'POST'), 200)
  t.equal(await ask('read', 'POST'), 403)
  t.equal(await ask('read write', 'PUT'), 200)
  t.equal(await ask('email'), 403)
})

void t.test('a route that no mapping covers is denied, unless an option says otherwise', async (t) => {
  const ask = await apiWith(t, mapping)
  t.equal(await ask('read write', 'DELETE'), 403)
  const relaxed = await apiWith(t, mapping, 'allow')
  t.equal(await relaxed('email', 'DELETE'), 200)
  t.equal(await relaxed('email'), 403, 'what is covered stays so')
})

void t.test('attack: another way of writing a path of a mapping', async (t) => {
  const ask = await apiWith(t, mapping, 'allow')
  for (const url of ['/api/%6frders', '/%61pi/orders', '/api/orders?x', '/api/orders;x'])
    t.not(await ask('email', 'GET', url), 200, url)
  t.equal(await ask('email', 'HEAD'), 403, 'HEAD is a way of reading')
})

void t.test('the route decides which scope opens it, not how its path is written', async (t) => {
  const ask = await apiWith(t, { scope: { orders: ['/api/in/orders'], all: ['/api/in/:section/5'] } })
  for (const url of ['/api/in/orders/5', '/api/in/%6frders/5', '/api//in/orders/5', '/api/in/orders/%2e']) {
    const routed = !url.includes('//')
    t.equal(await ask('orders', 'GET', url), routed ? 200 : 404, url)
  }
  for (const url of [
    '/api/in/orders;x/5',
    '/api/in/orders%2F/5',
    '/api/in/orders%2fx/5',
    '/api/in/x%3f%2F..%2Forders/5'
  ])
    t.equal(await ask('orders', 'GET', url), 403, url)
  for (const url of ['/api/in/x/5', '/api/in/orders%2F5/5', '/api/in/x/5?y', '/api/in/x/%35'])
    t.equal(await ask('all', 'GET', url), 200, url)
  for (const url of ['/api/in/x%2F5/7', '/api/in/x/5;7', '/api/in/x/5%3B'])
    t.equal(await ask('all', 'GET', url), 403, url)
})

void t.test('what a mapping may cover is not unmapped', async (t) => {
  const ask = await apiWith(t, { scope: { orders: ['/api/in/orders'] } }, 'allow')
  t.equal(await ask('email', 'GET', '/api/in/x/5'), 200)
  for (const url of ['/api/in/orders;x/5', '/api/in/orders%2Fx/5', '/api/in/ORDERS%2f/5'])
    t.equal(await ask('email', 'GET', url), 403, url)
})

void t.test('a text stands for all methods of a path', async (t) => {
  const ask = await apiWith(t, { scope: { all: ['/api/orders/:id'] } })
  t.equal(await ask('all', 'DELETE', '/api/orders/5'), 200)
  t.equal(await ask('all', 'DELETE'), 403)
})

void t.test('a function decides instead', async (t) => {
  const seen: unknown[] = []
  const ask = await apiWith(t, {
    scope: 'ignored',
    checkScopes: (_request, scopes, callback) => {
      seen.push(scopes)
      callback(scopes.includes('good') ? undefined : new Error('no'))
    }
  })
  t.equal(await ask('good'), 200)
  t.equal(await ask('bad'), 403)
  t.strictSame(seen, [['good'], ['bad']])
})

void t.test('a malformed mapping is an error when the server starts', async (t) => {
  const wrong: unknown[] = [{ a: 'x' }, { a: [{}] }, { a: [{ path: 5 }] }, { a: ['orders'] }, { a: ['/(x)'] }]
  for (const scope of wrong)
    await t.rejects(apiWith(t, { scope } as AuthenticateOptions), { code: 'OAUTH_PATH_INVALID' })
})
