import t from 'tap'
import { enter, makeApp } from '../make-app.ts'

const open = [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW' }] as const
const method = (path: string) => ({
  http: { verb: 'post', path },
  returns: { arg: 'data', type: 'object', root: true }
})

void t.test('tokens and keys are not kept for idempotency keys', async (t) => {
  const models = [
    {
      name: 'Client',
      base: 'Application',
      public: true,
      acls: [...open],
      methods: { resetKeys: { ...method('/reset'), accepts: { arg: 'id', type: 'string', required: true } } }
    }
  ]
  const relations = { accessTokens: { type: 'hasMany', model: 'AccessToken', foreignKey: 'userId' } } as const
  const methods = { 'prototype.createAccessToken': method('/token') }
  const acls = open.map((rule) => ({ ...rule, property: ['createAccessToken', '__create__accessTokens'] }))
  const customer = { acls, methods, relations }
  const app = await makeApp(t, { customer, models, users: { applications: true }, idempotency: true })
  await app.models.get('ACL').create({ ...open[0], model: 'AccessToken', property: 'create', accessType: 'WRITE' })
  const { id: user } = await enter(app, 'ann@shop.org')
  const client = await app.models.get('Client').create({ name: 'Shop', owner: 'ann' })
  const requests = {
    '/Customers/login': { email: 'ann@shop.org', password: 'secret' },
    [`/Customers/${user}/token`]: {},
    [`/Customers/${user}/accessTokens`]: {},
    '/Clients': { name: 'Other' },
    '/Clients/reset': { id: client.getId() }
  }
  for (const [url, payload] of Object.entries(requests)) {
    const send = () =>
      app.inject({ method: 'POST', url: `/api${url}`, payload, headers: { 'idempotency-key': 'a-key' + url } })
    const first = await send()
    t.equal(first.statusCode, 200, first.body)
    t.match((await send()).json(), { error: { code: 'IDEMPOTENCY_ANSWER_NOT_KEPT' } }, url)
    const { id, masterKey = id } = first.json<{ id: string; masterKey?: string }>()
    t.notOk(JSON.stringify(await app.models.get('IdempotencyKey').find()).includes(masterKey), url)
  }
})
