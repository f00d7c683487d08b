import t from 'tap'
import { numberOf, objectIdOf, translateIds } from '#src/mongodb/object-ids.ts'

const places = {
  names: ['id', 'bookId'],
  texts: ['title', 'principalId'],
  before: ['books', 'pages', 'rel'],
  others: ['stamps']
}
const { path, body, answer } = translateIds(places)
const first = '000000000000000000000001'

t.test('a number and the ObjectId that stands for it', async (t) => {
  t.equal(objectIdOf(255), '0000000000000000000000ff')
  t.equal(numberOf('0000000000000000000000ff'), 255)
  t.equal(numberOf('5f0000000000000000000001'), undefined)
})

t.test('numbers in paths are ids behind models and relations alone', async (t) => {
  t.equal(path('/api/Books/1/pages/1'), `/api/Books/${first}/pages/${first}`)
  t.equal(path('/api/Books/abc'), '/api/Books/abc')
  t.equal(path('/api/Stamps/1'), '/api/Stamps/1')
  t.equal(path('/api/Books/1?title=1'), `/api/Books/${first}?title=1`)
})

t.test('filters name ids in JSON and in brackets', async (t) => {
  const filter = (where: object): string => `/api/Books?filter=${encodeURIComponent(JSON.stringify({ where }))}`
  t.equal(path(filter({ bookId: { inq: [1, 'x'] }, n: 1 })), filter({ bookId: { inq: [first, 'x'] }, n: 1 }))
  t.equal(
    path('/api/Books?filter[where][bookId]=1&filter[limit]=1'),
    `/api/Books?filter[where][bookId]=${first}&filter[limit]=1`
  )
})

t.test('bodies have ids under their names; the ids of some models are something else', async (t) => {
  t.equal(body('{"id":1,"bookId":"1","n":1}', '/api/Books'), `{"id":"${first}","bookId":"${first}","n":1}`)
  t.equal(body('{"id":1,"bookId":1}', '/api/Stamps'), `{"id":1,"bookId":"${first}"}`)
  t.equal(body('{"id":null,"bookId":true}', '/api/Books'), '{"id":null,"bookId":true}')
  t.equal(body('{"id":', '/api/Books'), '{"id":')
})

t.test('answers have numbers again, texts where the property is one', async (t) => {
  t.equal(answer(`[{"id":"${first}","principalId":"${first}"}]`), '[{"id":1,"principalId":"1"}]')
  t.equal(answer(`{"error":{"message":"no ${first} there"}}`), '{"error":{"message":"no 1 there"}}')
  t.equal(answer(`<id>${first}</id>`), '<id>1</id>')
  t.equal(answer('{"id":"5f0000000000000000000001"}'), '{"id":"5f0000000000000000000001"}')
})
