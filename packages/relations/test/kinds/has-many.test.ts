import t from 'tap'
import { codeOf, makeApp } from '../make-app.ts'
import { fillLibrary, library } from '../library.ts'

void t.test('lists, counts and finds the records of one parent alone', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  t.match((await test.get('/Authors/2/books')).body, [{ title: 'D' }])
  t.strictSame((await test.get('/Authors/1/books', { where: { authorId: 2 } })).body, [], 'the key cannot be escaped')
  const either = { where: { or: [{ authorId: 2 }, { title: 'A' }] } }
  t.match((await test.get('/Authors/1/books', either)).body, [{ title: 'A' }])
  t.strictSame((await test.get('/Authors/1/books/count')).body, { count: 3 })
  t.match((await test.get('/Authors/1/books/2')).body, { title: 'A' })
})

void t.test(
  'a missing parent has a code, a missing child and another parent’s child have none of LoopBack’s',
  async (t) => {
    const test = await makeApp(t, library)
    await fillLibrary(test)
    t.equal(codeOf(await test.get('/Authors/99/books')), 'MODEL_NOT_FOUND')
    for (const id of ['4', '99', 'abc']) {
      const answers = [
        await test.get(`/Authors/1/books/${id}`),
        await test.send('PUT', `/Authors/1/books/${id}`, { title: 'x' }),
        await test.send('DELETE', `/Authors/1/books/${id}`)
      ]
      t.strictSame(answers.map(codeOf), ['RECORD_NOT_FOUND', 'RECORD_NOT_FOUND', 'RECORD_NOT_FOUND'], id)
    }
  }
)

void t.test('a new record gets the parent’s key, whatever the body says', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  t.match((await test.send('POST', '/Authors/3/books', { title: 'E', authorId: 1 })).body, { title: 'E', authorId: 3 })
  const several = await test.send('POST', '/Authors/3/books', [{ title: 'F' }, { title: 'G', authorId: 2 }])
  t.match(several.body, [{ authorId: 3 }, { authorId: 3 }])
})

void t.test('a record cannot be moved to another parent', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const moved = await test.send('PUT', '/Authors/1/books/1', { authorId: 2 })
  t.strictSame([moved.status, codeOf(moved)], [400, 'FOREIGN_KEY_FIXED'])
  t.equal((await test.send('PUT', '/Authors/1/books/1', { authorId: '1', title: 'same' })).status, 200)
  t.equal((await test.send('PUT', '/Authors/1/books/1', { id: 9 })).status, 400)
  const headers = { 'content-type': 'application/json' }
  const none = await test.app.inject({ method: 'PUT', url: '/api/Authors/1/books/1', headers, payload: 'null' })
  t.equal(none.statusCode, 400)
})

void t.test('deletes what belongs to the parent and nothing else', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  t.equal((await test.send('DELETE', '/Authors/1/books?where={"title":"A"}')).status, 204)
  t.match((await test.get('/Books')).body, [{ title: 'D' }])
})

void t.test('properties of the parent are copied into new records', async (t) => {
  const test = await makeApp(t, [
    {
      name: 'Team',
      properties: { city: 'string', colour: 'string' },
      relations: { players: { type: 'hasMany', model: 'Player', properties: { city: 'home' } } }
    },
    { name: 'Player', properties: { home: 'string' } }
  ])
  await test.send('POST', '/Teams', { city: 'Graz' })
  const player = await test.send('POST', '/Teams/1/players', { home: 'mine' })
  t.match(player.body, { home: 'Graz', teamId: 1 })
})

void t.test('the scope of a relation narrows reads and deletions, not what is created', async (t) => {
  const scope = { where: { year: { gt: 2001 } }, order: 'year DESC', limit: 5 }
  const [author, ...others] = library
  const recent = { type: 'hasMany', model: 'Book', foreignKey: 'authorId', scope }
  const test = await makeApp(t, [{ ...author, name: 'Author', relations: { ...author?.relations, recent } }, ...others])
  await fillLibrary(test)
  t.match((await test.get('/Authors/1/recent')).body, [{ year: 2003 }, { year: 2002 }])
  t.strictSame((await test.get('/Authors/1/recent/count')).body, { count: 2 })
  t.match((await test.get('/Authors/1', { include: 'recent' })).body, { recent: [{ year: 2003 }, { year: 2002 }] })
  t.equal((await test.get('/Authors/1/recent/1')).status, 404)
  t.match((await test.send('POST', '/Authors/1/recent', { year: 1 })).body, { year: 1 })
  await test.send('DELETE', '/Authors/1/recent')
  t.match((await test.get('/Authors/1/books', { order: 'year' })).body, [{ year: 1 }, { year: 2001 }])
})

void t.test('a parent without the key that children refer to has none', async (t) => {
  const test = await makeApp(t, [
    {
      name: 'Item',
      properties: { sku: 'string' },
      relations: { labels: { type: 'hasMany', model: 'Label', foreignKey: 'itemSku', primaryKey: 'sku' } }
    },
    { name: 'Label', properties: { text: 'string', itemSku: 'string' } }
  ])
  await test.send('POST', '/Items', [{ sku: 's1' }, {}])
  await test.send('POST', '/Labels', [{ text: 'loose' }, { text: 'one', itemSku: 's1' }])
  t.match((await test.get('/Items', { include: 'labels' })).body, [{ labels: [{ text: 'one' }] }, { labels: [] }])
  t.strictSame((await test.get('/Items/2/labels')).body, [])
  t.equal(codeOf(await test.send('POST', '/Items/2/labels', { text: 'x' })), 'PARENT_KEY_MISSING')
  t.equal((await test.send('DELETE', '/Items/2/labels')).status, 204)
  t.equal(((await test.get('/Labels')).body as unknown[]).length, 2)
})
