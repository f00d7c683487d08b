import { sqlite } from '@modelwire/connector-sqlite'
import { migrate } from '@modelwire/core'
import t from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'
import { shelfModels } from '../shelves.ts'

const models = (acls: object[]) => shelfModels({ properties: { price: 'number', userId: 'number' }, acls })

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

void t.test('a caller who may list the own records alone finds by those, and not by others', async (t) => {
  const own = rule('$authenticated', 'ALLOW', { property: ['find', 'findById'], rows: '$owner' })
  const app = await makeApp(t, models([deny, own]))
  await app.models.get('Shelf').create([{ title: 'x' }, { title: 'y' }])
  await app.models.get('Thing').create([1, 2].map((userId) => ({ price: 7, userId, shelfId: userId })))
  const found = async (where: string) =>
    (await app.inject({ url: `/api/shelves?filter={"where":${where}}`, headers: { user: '1' } })).json<unknown>()
  t.match(await found('{"things":{"price":{"gt":5}}}'), [{ title: 'x' }])
  t.match(await found('{"nor":[{"things.price":7}]}'), [{ title: 'y' }])
  t.strictSame(await found('{"things.userId":2}'), [])
})

void t.test('code of the application filters as it likes', async (t) => {
  const app = await makeApp(t, models([deny]))
  await app.models.get('Shelf').create({ title: 'x' })
  await app.models.get('Thing').create({ price: 7, shelfId: 1 })
  t.match(await app.models.get('Shelf').find({ where: { things: { price: 7 } } }), [{ title: 'x' }])
})

void t.test('rules hold where a database carries out the whole filter', async (t) => {
  const statements: string[] = []
  const connector = sqlite({ file: ':memory:', onStatement: (statement: string) => statements.push(statement) })
  const acls = [deny, rule('$authenticated', 'ALLOW', { property: ['find', 'create'], rows: '$owner' })]
  const app = await makeApp(t, models(acls), {}, { connector })
  await app.ready()
  await migrate(app.models)
  await app.models.get('Shelf').create([{ title: 'x' }, { title: 'y' }])
  await app.models.get('Thing').create([
    { price: 1, userId: 1, shelfId: 1 },
    { price: 2, userId: 2, shelfId: 1 },
    { price: 3, userId: 1, shelfId: 2 }
  ])
  const get = async (url: string) => app.inject({ url, headers: { user: '1' } })
  const byShelf = '/api/things?filter={"where":{"or":[{"shelf.title":"x"},{"price":2}]}}'
  t.match((await get(byShelf)).json(), [{ price: 1 }])
  statements.length = 0
  t.equal((await get(byShelf)).json().length, 1, 'things of others stay unseen')
  const about = (table: RegExp) => statements.filter((statement) => table.test(statement)).length
  t.strictSame([about(/thing/i), about(/shelf"/i)], [1, 1], 'in one statement')
  t.match((await get('/api/shelves?filter={"where":{"things.price":2}}')).json(), [])
  t.match((await get('/api/shelves?filter={"where":{"things.price":3}}')).json(), [{ title: 'y' }])
  t.match((await get('/api/shelves?filter={"order":"id","where":{"nor":[{"things.price":{"lt":3}}]}}')).json(), [
    { title: 'y' }
  ])
})
