import t from 'tap'
import { makeApp, rule } from '../make-app.ts'

const deny = rule('$everyone', 'DENY')

const models = (acls: object[]) => [
  {
    name: 'Shelf',
    plural: 'shelves',
    properties: { title: 'string' },
    relations: { things: { type: 'hasMany', model: 'Thing', foreignKey: 'shelfId' } }
  },
  {
    name: 'Thing',
    plural: 'things',
    properties: { price: 'number', userId: 'number', shelfId: 'number' },
    relations: { shelf: { type: 'belongsTo', model: 'Shelf', foreignKey: 'shelfId' } },
    acls
  },
  {
    name: 'Note',
    plural: 'notes',
    relations: { thing: { type: 'belongsTo', model: 'Thing', foreignKey: 'thingId' } }
  }
]

const urls = [
  '/api/shelves?filter={"where":{"things":{"price":{"gt":5}}}}',
  '/api/shelves?filter={"where":{"things.price":7}}',
  '/api/shelves?filter={"where":{"or":[{"and":[{"things":{"price":7}}]},{"title":"x"}]}}',
  '/api/shelves?filter={"where":{"nor":[{"things":{"price":7}}]}}',
  '/api/shelves?filter[where][things][price]=7',
  '/api/shelves/findOne?filter={"where":{"things":{"price":7}}}',
  '/api/shelves/count?where={"things":{"price":7}}',
  '/api/notes?filter={"where":{"thing":{"price":7}}}',
  '/api/notes?filter={"order":"thing.price DESC"}',
  '/api/notes?filter={"order":["id ASC","thing.price DESC"]}'
]

for (const url of urls) {
  void t.test(`nobody learns of records that they may not list by ${url}`, async (t) => {
    const app = await makeApp(t, models([deny, rule('$owner', 'ALLOW')]))
    await app.models.get('Shelf').create({ title: 'x' })
    await app.models.get('Thing').create({ price: 7, userId: 1, shelfId: 1 })
    for (const headers of [{}, { user: '1' }, { user: '2' }]) {
      const answer = await app.inject({ url, headers })
      t.equal(answer.statusCode, 401)
      t.match(answer.json(), { error: { code: 'FILTER_DENIED' } })
    }
  })

  void t.test(`whoever may list them may ask ${url}`, async (t) => {
    const app = await makeApp(t, models([deny, rule('$authenticated', 'ALLOW', { property: 'find' })]))
    await app.models.get('Shelf').create({ title: 'x' })
    await app.models.get('Thing').create({ price: 7, shelfId: 1 })
    t.equal((await app.inject({ url, headers: { user: '1' } })).statusCode, 200)
    t.equal((await app.inject(url)).statusCode, 401)
    const open = await makeApp(t, models([deny]), { checkIncludes: false })
    await open.models.get('Shelf').create({ title: 'x' })
    await open.models.get('Thing').create({ price: 7, shelfId: 1 })
    t.equal((await open.inject(url)).statusCode, 200)
  })
}

void t.test('a caller who may list the own records alone does not ask about those of others', async (t) => {
  const own = rule('$authenticated', 'ALLOW', { property: ['find', 'findById'], rows: '$owner' })
  const app = await makeApp(t, models([deny, own]))
  t.equal((await app.inject({ url: urls[0] ?? '', headers: { user: '1' } })).statusCode, 401)
})

void t.test('code of the application filters as it likes', async (t) => {
  const app = await makeApp(t, models([deny]))
  await app.models.get('Shelf').create({ title: 'x' })
  await app.models.get('Thing').create({ price: 7, shelfId: 1 })
  t.match(await app.models.get('Shelf').find({ where: { things: { price: 7 } } }), [{ title: 'x' }])
})
