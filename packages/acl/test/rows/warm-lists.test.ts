import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

/** Notes of users 1 and 2: each sees the own ones, the boss, user 9, all of them, and everybody else the labels. */
async function makeNotes(t: Test) {
  const notes = {
    name: 'Note',
    properties: { label: 'string', price: 'number', ownerId: 'number' },
    relations: { owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' } },
    acls: [
      deny,
      rule('$unauthenticated', 'ALLOW', { property: 'find', fields: { read: ['label'] } }),
      rule('$authenticated', 'ALLOW', { property: 'find', rows: '$owner' }),
      rule('boss', 'ALLOW', { property: ['find', 'count'] }),
      rule('$unauthenticated', 'ALLOW', { property: 'count', fields: { read: ['label'] } })
    ]
  }
  const app = await makeApp(t, [notes])
  app.access.registerRole('boss', ({ principal }) => principal?.userId === 9)
  await app.models.get('Note').create([
    { label: 'a', price: 1, ownerId: 1 },
    { label: 'b', price: 2, ownerId: 2 },
    { label: 'c', price: 3, ownerId: 1 }
  ])
  return app
}

const byPrice = 'filter={"where":{"price":{"gt":0}},"order":"price DESC"}'
const byLabel = 'filter={"order":"label","limit":2}'

t.test('what one client may see of a list is not what the next one gets, however often it was asked for', async (t) => {
  const app = await makeNotes(t)
  const ask = async (query: string, user: number | undefined): Promise<unknown> => {
    const answer = await app.inject({
      url: `/api/Notes?${query}`,
      headers: user === undefined ? {} : { user: String(user) }
    })
    const body: unknown = answer.json()
    return Array.isArray(body) ? body.map(({ label, price }) => `${label}${price ?? ''}`) : answer.statusCode
  }
  for (const boss of [9, 9, 9, 1, 2, undefined, 9, undefined, 2, 1]) {
    const expected = {
      9: [
        ['c3', 'b2', 'a1'],
        ['a1', 'b2']
      ],
      1: [
        ['c3', 'a1'],
        ['a1', 'c3']
      ],
      2: [['b2'], ['b2']],
      nobody: [401, ['a', 'b']]
    }[boss ?? 'nobody']
    t.strictSame([await ask(byPrice, boss), await ask(byLabel, boss)], expected, `user ${boss}`)
  }
})

t.test('a condition that one client may count by is refused to the next one', async (t) => {
  const app = await makeNotes(t)
  const count = async (where: string, user?: string): Promise<unknown> => {
    const answer = await app.inject({
      url: `/api/Notes/count?where=${where}`,
      headers: user === undefined ? {} : { user }
    })
    return answer.statusCode === 200 ? answer.json<{ count: number }>().count : answer.statusCode
  }
  const [priced, labelled] = ['{"price":{"gt":1}}', '{"label":"a"}']
  for (const user of ['9', '9', undefined, '9', undefined])
    t.strictSame([await count(priced, user), await count(labelled, user)], [user === undefined ? 401 : 2, 1])
})
