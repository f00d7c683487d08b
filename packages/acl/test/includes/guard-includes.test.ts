import t from 'tap'
import { makeApp, rule } from '../make-app.ts'

const deny = rule('$everyone', 'DENY')
const models = (acls: object[]) => [
  {
    name: 'Shelf',
    plural: 'shelves',
    relations: { things: { type: 'hasMany', model: 'Thing', foreignKey: 'shelfId' } }
  },
  {
    name: 'Thing',
    plural: 'things',
    properties: { userId: 'number', shelfId: 'number' },
    relations: { shelf: { type: 'belongsTo', model: 'Shelf', foreignKey: 'shelfId' } },
    acls
  }
]

const cases: [string, object[], boolean, number | undefined, number][] = [
  ['records that nobody may read are not included', [deny], true, 1, 401],
  ['nor for strangers', [deny, rule('$owner', 'ALLOW')], true, undefined, 401],
  ['records of others are not included', [deny, rule('$owner', 'ALLOW')], true, 2, 401],
  ['own records are', [deny, rule('$owner', 'ALLOW')], true, 1, 200],
  ['records that the caller may list are', [deny, rule('$authenticated', 'ALLOW', { property: 'find' })], true, 2, 200],
  ['checkIncludes: false includes everything, as LoopBack does', [deny], false, undefined, 200]
]

for (const [name, acls, checkIncludes, user, status] of cases) {
  void t.test(name, async (t) => {
    const app = await makeApp(t, models(acls), { checkIncludes })
    await app.models.get('Shelf').create({})
    await app.models.get('Thing').create({ userId: 1, shelfId: 1 })
    for (const include of [
      '"things"',
      '["things"]',
      '{"things":"shelf"}',
      '{"relation":"things","scope":{"where":{"id":1}}}'
    ]) {
      const headers = user === undefined ? {} : { user: String(user) }
      const answer = await app.inject({ url: `/api/shelves?filter={"include":${include}}`, headers })
      t.equal(answer.statusCode, status, include)
      if (status !== 200) t.notMatch(answer.body, /userId/)
    }
  })
}

void t.test('code of the application includes what it likes', async (t) => {
  const app = await makeApp(t, models([deny]))
  await app.models.get('Shelf').create({})
  await app.models.get('Thing').create({ userId: 1, shelfId: 1 })
  const [shelf] = await app.models.get('Shelf').find({ include: 'things' })
  t.match(shelf?.toJSON(), { things: [{ userId: 1 }] })
})
