import t from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

const models = [
  {
    name: 'Thing',
    plural: 'things',
    optimisticLocking: { requireIfMatch: true },
    properties: { label: 'string', userId: 'number' },
    acls: [deny, rule('$authenticated', 'ALLOW', { rows: '$owner' })]
  }
]

void t.test('conditions of requests reveal nothing of records that a client may not see', async (t) => {
  const app = await makeApp(t, models)
  await app.models.get('Thing').create([{ userId: 1 }, { userId: 2 }])
  const etag = String((await app.inject({ url: '/api/things/1', headers: { user: '1' } })).headers['etag'])
  const other = String((await app.models.get('Thing').findById(2))?.['version'])
  const send = async (method: 'PATCH' | 'PUT' | 'DELETE', id: number, user: string, headers: object) => {
    const payload = method === 'DELETE' ? {} : { payload: { label: 'x', userId: 1 } }
    return (await app.inject({ method, url: `/api/things/${id}`, headers: { user, ...headers }, ...payload }))
      .statusCode
  }
  for (const method of ['PATCH', 'PUT', 'DELETE'] as const)
    for (const headers of [
      { 'if-match': `"${other}"` },
      { 'if-match': '"x"' },
      { 'if-match': '*' },
      { 'if-none-match': '*' }
    ]) {
      const denied = await send(method, 2, '1', headers)
      t.equal(denied, await send(method, 99, '1', headers), `${method} ${JSON.stringify(headers)}`)
      t.equal(denied, 401)
    }
  t.equal(await send('PATCH', 1, '1', { 'if-match': '"x"' }), 412)
  t.equal(await send('PATCH', 1, '1', {}), 428)
  t.equal(await send('PATCH', 1, '1', { 'if-match': etag }), 200)
  t.equal(await send('PATCH', 1, '1', { 'if-match': etag }), 412)
  t.equal((await app.models.get('Thing').findById(2))?.['label'], undefined)
})

void t.test('what happens to a record behind a precondition is part of the statement', async (t) => {
  // What another server writes between the check and the statement, whose version is another one then.
  const writes = { 'another owner': { userId: 2 }, 'another label': { label: 'c' } }
  for (const [what, patch] of Object.entries(writes)) {
    const app = await makeApp(t, models)
    const Thing = app.models.get('Thing')
    await Thing.create({ userId: 1, label: 'a' })
    const etag = String((await app.inject({ url: '/api/things/1', headers: { user: '1' } })).headers['etag'])
    Thing.observe(
      'before save',
      async () => void (await app.models.typeOf('Thing').collection?.update(undefined, patch))
    )
    const request = { method: 'PATCH', url: '/api/things/1', payload: { label: 'b' } } as const
    const { statusCode } = await app.inject({ ...request, headers: { user: '1', 'if-match': etag } })
    t.equal(statusCode, 412, what)
    t.match(await Thing.findById(1), { label: 'a', ...patch }, what)
  }
})
