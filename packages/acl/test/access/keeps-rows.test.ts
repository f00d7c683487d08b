import t from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

const own = rule('$authenticated', 'ALLOW', {
  property: ['updateAll', 'patchAttributes', 'replaceById', 'patchOrCreate', 'replaceOrCreate', 'findById'],
  rows: '$owner'
})
const models = [
  {
    name: 'Thing',
    plural: 'things',
    properties: { label: 'string', userId: 'number' },
    acls: [deny, own]
  }
]

const writes: [string, 'POST' | 'PATCH' | 'PUT', string, object][] = [
  ['updateAll', 'POST', '/things/update?where={}', {}],
  ['patchAttributes', 'PATCH', '/things/1', {}],
  ['replaceById', 'PUT', '/things/1', {}],
  ['patchOrCreate', 'PATCH', '/things', { id: 1 }],
  ['replaceOrCreate', 'PUT', '/things', { id: 1 }]
]

for (const [name, method, url, more] of writes) {
  void t.test(`${name} on own rows changes them and gives none away`, async (t) => {
    const app = await makeApp(t, models)
    await app.models.get('Thing').create([{ userId: 1 }, { userId: 2 }])
    const send = async (data: object): Promise<number> => {
      const request = { method, url: `/api${url}`, headers: { user: '1' }, payload: { ...more, ...data } }
      return (await app.inject(request)).statusCode
    }
    for (const userId of [2, null, '2', [1, 2]])
      t.ok((await send({ label: 'x', userId })) >= 400, JSON.stringify(userId))
    t.match(await app.models.get('Thing').find(), [{ userId: 1 }, { userId: 2 }])
    t.equal(await send({ label: 'mine', userId: 1 }), 200)
    t.match(await app.models.get('Thing').find(), [{ label: 'mine', userId: 1 }, { userId: 2 }])
    t.not((await app.models.get('Thing').findById(2))?.['label'], 'mine')
  })
}
