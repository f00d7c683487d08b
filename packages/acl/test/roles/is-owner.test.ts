import t from 'tap'
import { deny, makeApp, rule, statusOf } from '../make-app.ts'

const owner = { type: 'belongsTo', model: 'User', foreignKey: 'ownerName', primaryKey: 'name' }
const note = {
  name: 'Note',
  plural: 'notes',
  properties: { text: 'string', ownerName: 'any' },
  relations: { owner },
  ownerRelations: true,
  acls: [deny, rule('$owner', 'ALLOW')]
}

void t.test('a key that is not the id names its user', async (t) => {
  const app = await makeApp(t, [note])
  await app.models.get('User').create([{ name: 'ann' }, { name: 'bob' }])
  await app.models.get('Note').create({ ownerName: 'bob' })
  t.equal(await statusOf(app, 'GET /notes/1', 2), 200)
  t.equal(await statusOf(app, 'GET /notes/1', 1), 401)
})

for (const condition of [{ neq: 'nobody' }, { like: '%' }, ['ann', 'bob'], { inq: ['ann'] }, { regexp: 'a' }]) {
  void t.test(`the key ${JSON.stringify(condition)} is no condition that finds an owner`, async (t) => {
    const app = await makeApp(t, [note])
    await app.models.get('User').create([{ name: 'ann' }, { name: 'bob' }])
    await app.models.get('Note').create([{ ownerName: 'ann' }, { ownerName: condition }])
    t.equal(await statusOf(app, 'GET /notes/2', 1), 401)
    t.equal(await statusOf(app, 'PATCH /notes/1', 1, { ownerName: condition }), 401)
    t.equal(await statusOf(app, 'PATCH /notes/1', 1, { text: 'mine' }), 200)
  })
}
