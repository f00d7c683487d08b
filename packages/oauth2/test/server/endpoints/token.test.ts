import t from 'tap'
import { addClient, basic, makeApp, post } from '../../make-app.ts'

t.test('a client gets a token for itself, and nothing of it is kept in a cache', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const answer = await post(
    app,
    '/oauth/token',
    { grant_type: 'client_credentials', scope: 'read write' },
    basic(client)
  )
  t.equal(answer.statusCode, 200, answer.body)
  t.equal(answer.headers['cache-control'], 'no-store')
  t.equal(answer.headers['pragma'], 'no-cache')
  const body = answer.json<Record<string, unknown>>()
  t.match(body, { access_token: /^[A-Za-z0-9]{32}$/, expires_in: 600, scope: 'read write', token_type: 'Bearer' })
  t.notOk('refresh_token' in body)
  t.same(Object.keys(body), ['access_token', 'expires_in', 'scope', 'token_type'])
})
