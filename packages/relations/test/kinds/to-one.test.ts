import t from 'tap'
import { codeOf, makeApp } from '../make-app.ts'
import { fillLibrary, library, recordOf } from '../library.ts'

void t.test('belongsTo answers the record, {} without a key and null where the record is gone', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  await test.send('POST', '/Books', [{ title: 'free' }, { title: 'lost', authorId: 77 }])
  t.strictSame((await test.get('/Books/1/author')).body, { name: 'Ann', id: 1 })
  t.strictSame(await test.get('/Books/5/author'), { status: 200, body: {} })
  t.strictSame(await test.get('/Books/6/author'), { status: 200, body: null })
  t.match((await test.get('/Books/6', { include: 'author' })).body, { author: undefined })
})

void t.test('a key of the wrong type is refused', async (t) => {
  const test = await makeApp(t, library)
  t.equal((await test.send('POST', '/Books', { authorId: 'abc' })).status, 422)
  t.equal((await test.send('POST', '/Books', { authorId: { gt: 0 } })).status, 422)
})

void t.test('data under the name of a relation is dropped', async (t) => {
  const test = await makeApp(t, library)
  const { body } = await test.send('POST', '/Books', { title: 'x', author: { name: 'inline' } })
  t.strictSame(body, { title: 'x', id: 1 })
  t.strictSame((await test.get('/Authors')).body, [])
})

void t.test('hasOne is made once, changed in part and deleted', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  t.equal(codeOf(await test.get('/Authors/1/agent')), 'MODEL_NOT_FOUND')
  t.match(await test.send('POST', '/Authors/1/agent', { phone: '7', authorId: 3 }), {
    status: 200,
    body: { authorId: 1 }
  })
  const again = await test.send('POST', '/Authors/1/agent', { phone: '8' })
  t.strictSame([again.status, codeOf(again)], [409, 'RELATED_RECORD_EXISTS'])
  t.match((await test.send('PUT', '/Authors/1/agent', { phone: '9' })).body, { phone: '9', authorId: 1 })
  t.equal(codeOf(await test.send('PUT', '/Authors/1/agent', { authorId: 2 })), 'FOREIGN_KEY_FIXED')
  t.equal((await test.send('DELETE', '/Authors/1/agent')).status, 204)
  t.equal((await test.send('DELETE', '/Authors/1/agent')).status, 404)
  t.equal((await test.send('PUT', '/Authors/1/agent', {})).status, 404)
})

void t.test('a polymorphic key leads to records whose ids have names of their own', async (t) => {
  const test = await makeApp(t, [
    { name: 'Note', properties: {}, relations: { subject: { type: 'belongsTo', polymorphic: true } } },
    {
      name: 'Article',
      properties: { myId: { type: 'number', id: true }, title: 'string' },
      relations: { notes: { type: 'hasMany', model: 'Note', polymorphic: 'subject' } }
    },
    { name: 'Film', properties: { title: 'string' } }
  ])
  await test.model('Article').create([
    { myId: 7, title: 'A' },
    { myId: 8, title: 'B' }
  ])
  await test.model('Film').create({ title: 'F' })
  await test.send('POST', '/Articles/8/notes', {})
  await test.send('POST', '/Notes', [
    { subjectType: 'Article', subjectId: 7 },
    { subjectType: 'Film', subjectId: 1 }
  ])
  const titlesOf = async (include: unknown) =>
    ((await test.get('/Notes', { include })).body as { subject?: { title: string } }[]).map(
      ({ subject }) => subject?.title
    )
  t.strictSame(await titlesOf('subject'), ['B', 'A', 'F'])
  t.strictSame(await titlesOf({ relation: 'subject', scope: { where: { title: 'A' } } }), [undefined, 'A', undefined])
  t.match((await test.get('/Notes/2/subject')).body, { title: 'A' })
  t.match((await test.get('/Articles', { where: { notes: { none: { id: 2 } } }, include: 'notes' })).body, [
    { title: 'B', notes: [{ subjectId: 8 }] }
  ])
  const note = await recordOf(test.model('Note'), 3)
  const article = await recordOf(test.model('Article'), 8)
  ;(note['subject'] as unknown as (owner: unknown) => unknown)(article)
  t.match(note, { subjectId: 8, subjectType: 'Article' })
})

void t.test('a polymorphic key leads to no records whose ids consist of several properties', async (t) => {
  for (const part of ['code', 'id']) {
    const test = await makeApp(t, [
      {
        name: 'Note',
        properties: { subjectId: 'string' },
        relations: {
          subject: { type: 'belongsTo', polymorphic: { foreignKey: 'subjectId', discriminator: 'subjectType' } }
        }
      },
      { name: 'Price', properties: { tenant: { type: 'string', id: true }, [part]: { type: 'string', id: true } } }
    ])
    const price = await test.model('Price').create({ tenant: 't', [part]: 'a' })
    await test.model('Note').create([{ subjectId: 'a', subjectType: 'Price' }, {}])
    const note = await recordOf(test.model('Note'), 1)
    const subject = note['subject'] as unknown as { (owner: unknown): unknown; get: () => Promise<unknown> }
    const invalid = { code: 'RELATION_INVALID', where: { key: 'relations.subject' } }
    t.throws(() => subject(price), invalid)
    await t.rejects(async () => subject.get(), invalid)
    t.match((await test.get('/Notes', { include: 'subject' })).body, [{ subject: undefined }, { id: 2 }])
  }
})

void t.test('a polymorphic key leads to records of several models', async (t) => {
  const test = await makeApp(t, [
    {
      name: 'Picture',
      properties: { url: 'string' },
      relations: { imageable: { type: 'belongsTo', polymorphic: true } }
    },
    {
      name: 'Cat',
      properties: { name: 'string' },
      relations: { pictures: { type: 'hasMany', model: 'Picture', polymorphic: 'imageable' } }
    },
    {
      name: 'Dog',
      properties: { name: 'string' },
      relations: { portrait: { type: 'hasOne', model: 'Picture', polymorphic: { selector: 'imageable' } } }
    }
  ])
  await test.send('POST', '/Cats', { name: 'Mia' })
  await test.send('POST', '/Dogs', { name: 'Rex' })
  await test.send('POST', '/Cats/1/pictures', [{ url: 'a' }, { url: 'b', imageableType: 'Dog' }])
  await test.send('POST', '/Dogs/1/portrait', { url: 'c' })
  await test.send('POST', '/Pictures', [{ url: 'loose' }, { url: 'odd', imageableType: 'Nope', imageableId: 1 }])
  test.calls.length = 0
  const { body } = await test.get('/Pictures', { include: 'imageable' })
  t.strictSame(
    (body as { imageable?: { name: string } }[]).map(({ imageable }) => imageable?.name),
    ['Mia', 'Mia', 'Rex', undefined, undefined]
  )
  t.equal(test.calls.length, 3, 'one query per model')
  t.match((await test.get('/Pictures/3/imageable')).body, { name: 'Rex' })
  t.strictSame(await test.get('/Pictures/5/imageable'), { status: 200, body: null })
  t.match((await test.get('/Dogs/1/portrait')).body, { url: 'c' })
  t.strictSame((await test.get('/Cats/1/pictures/count')).body, { count: 2 })
})
