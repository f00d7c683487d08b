import t from 'tap'
import { ask, enter, makeApp } from '../make-app.ts'

t.test('no cache keeps what is answered to a token, wherever it came in', async (t) => {
  const app = await makeApp(t)
  const ann = await enter(app, 'ann@shop.org')
  const url = `/api/Customers/${ann.id}`
  for (const given of [
    { url, headers: { 'x-access-token': ann.token } },
    { url, headers: { authorization: ann.token } },
    { url: `${url}?access_token=${ann.token}` }
  ]) {
    const { statusCode, headers } = await app.inject(given)
    t.equal(statusCode, 200)
    t.equal(headers['cache-control'], 'no-store')
    t.equal(headers['vary'], 'Authorization, X-Access-Token')
    t.equal(headers['x-content-type-options'], 'nosniff')
  }
})

t.test('what needs no token stays as it is', async (t) => {
  const app = await makeApp(t)
  const { headers } = await ask(app, 'GET', '/Customers/1')
  t.equal(headers['cache-control'], undefined)
})

t.test('whoever answers may say otherwise, and what answers vary by is kept', async (t) => {
  const app = await makeApp(t)
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.header('vary', 'Origin')
    done()
  })
  app.get('/mine', async (_request, reply) => reply.header('cache-control', 'private, max-age=60').send('x'))
  const ann = await enter(app, 'ann@shop.org')
  const { headers } = await app.inject({ url: '/mine', headers: { 'x-access-token': ann.token } })
  t.equal(headers['cache-control'], 'private, max-age=60')
  t.match(headers['vary'], /Origin/)
})
