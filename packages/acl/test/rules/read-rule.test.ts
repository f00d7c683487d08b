import t from 'tap'
import { readRule } from '#src/rules/read-rule.ts'
import { deny, makeApp, rule, statusOf } from '../make-app.ts'

const note = {
  name: 'Note',
  plural: 'notes',
  properties: { userId: 'number' },
  acls: [rule('$everyone', 'DENY', { accessType: 'WRITE' })]
}
const whole = { ...deny, model: 'Note', property: '*', accessType: '*' }

void t.test('a stored rule is about what it names, and about nothing where it leaves something out', async (t) => {
  for (const name of ['nothing', 'model', 'property', 'accessType']) {
    const app = await makeApp(t, [note])
    await app.models.get('ACL').create({ ...whole, [name]: null })
    t.equal(await statusOf(app, 'GET /notes'), name === 'nothing' ? 401 : 200, name)
  }
})

void t.test('a stored rule that leaves something out opens nothing', async (t) => {
  const app = await makeApp(t, [{ ...note, acls: [deny] }])
  for (const name of ['model', 'property', 'accessType'])
    await app.models.get('ACL').create({ ...whole, permission: 'ALLOW', principalId: '$authenticated', [name]: null })
  t.equal(await statusOf(app, 'GET /notes', 1), 401)
})

void t.test('all methods in a list are denied, and never allowed', async (t) => {
  const written = { principalType: 'ROLE', principalId: '$everyone', property: ['*', 'count'] }
  t.strictSame(readRule({ ...written, permission: 'DENY' }, 'Note').properties, ['*', 'count'])
  t.strictSame(readRule({ ...written, permission: 'ALLOW' }, 'Note').properties, ['count'])
})

void t.test('a stored rule for some rows never opens all of them', async (t) => {
  const app = await makeApp(t, [{ ...note, acls: [deny] }])
  await app.models.get('Note').create([{ userId: 1 }, { userId: 2 }])
  const own = { ...whole, permission: 'ALLOW', principalId: '$authenticated', rows: 'owner' }
  await app.models.get('ACL').create(own)
  const answer = await app.inject({ url: '/api/notes', headers: { user: '1' } })
  t.strictSame(
    answer.json<{ userId: number }[]>().map(({ userId }) => userId),
    [1]
  )
})

void t.test('a rule is read in every shape that LoopBack reads', async (t) => {
  const written = { principalType: ['ROLE'], principalId: ['$everyone'], accessType: null, permission: ['DENY'] }
  for (const property of [null, false, 0, '', undefined])
    t.match(readRule({ ...written, property }, 'Note'), {
      principalType: 'ROLE',
      principalId: '$everyone',
      accessType: '*',
      permission: 'DENY',
      properties: ['*']
    })
  t.strictSame(readRule({ ...written, property: ['find', null] }, 'Note').properties, ['find'])
  for (const nothing of [null, 'admin', 5, []]) t.equal(readRule(nothing, 'Note').principalType, undefined)
})
