import type { ModelDefinition } from '@modelwire/core'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'
import { send } from './bank.ts'

async function serve(t: Test, fields: object) {
  const ofFirst = rule('$everyone', 'ALLOW', { accessType: 'EXECUTE', rows: () => ({ tier: 1 }), fields })
  const thing: ModelDefinition = {
    name: 'Thing',
    plural: 'things',
    properties: { tier: 'number', label: 'string', isNew: 'boolean' },
    scopes: { fresh: { where: { isNew: true } } },
    acls: [deny, ofFirst]
  }
  const app = await makeApp(t, [thing])
  await app.models.get('Thing').create([
    { tier: 1, label: 'a', isNew: true },
    { tier: 2, label: 'b', isNew: true },
    { tier: 1, label: 'c' }
  ])
  const stored = async () => (await app.models.get('Thing').find()).map(({ label }) => label)
  return { app, stored }
}

void t.test('a named scope shows the records that a rule names', async (t) => {
  const { app, stored } = await serve(t, { read: { except: ['isNew'] } })
  t.strictSame((await send(app, 'GET /things/fresh')).body, [{ id: 1, tier: 1, label: 'a' }])
  t.strictSame((await send(app, 'GET /things/fresh/count')).body, { count: 1 })
  t.match((await send(app, 'GET /things/fresh?filter={"where":{"label":"b"}}')).body, [])
  const asked = await send(app, 'GET /things/fresh?filter={"where":{"isNew":true}}')
  t.match(asked.body, { error: { code: 'PROPERTY_DENIED' } })
  t.equal((await send(app, 'DELETE /things/fresh')).status, 401)
  t.strictSame(await stored(), ['a', 'b', 'c'])
})

void t.test('through a named scope records are created that a rule admits', async (t) => {
  const { app, stored } = await serve(t, { write: { except: ['label', 'isNew'] } })
  t.match((await send(app, 'POST /things/fresh', { tier: 1, label: 'n' })).body, { error: { code: 'PROPERTY_DENIED' } })
  t.equal((await send(app, 'POST /things/fresh', { tier: 2 })).status, 401)
  t.equal((await stored()).length, 3)
  t.match(await send(app, 'POST /things/fresh', { tier: 1 }), { status: 200, body: { tier: 1, isNew: true } })
})
