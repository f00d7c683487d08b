import t from 'tap'
import { readingWithin } from '#src/access/call.ts'
import { compileFilter, compileOptionalWhere } from '#src/filter/compile-filter.ts'
import { KeySet, RelatedKeys, RelatedOrder } from '#src/filter/related-conditions.ts'
import { compilePredicate } from '#src/filter/match-where.ts'
import { findNear } from '#src/filter/order.ts'
import { buildModels } from '../build-models.ts'
import { clientCall } from '../client-call.ts'

const registry = buildModels([
  { name: 'Author', properties: { name: 'string', place: 'geopoint' } },
  { name: 'Book', properties: { authorId: 'number', secretId: 'number' }, hidden: ['secretId'] }
])
const [author, book] = [registry.typeOf('Author'), registry.typeOf('Book')]
const near = compileOptionalWhere(author, { place: { near: '1,2' } })
const keys = new RelatedKeys(author, 'id', near)

void t.test('keys that a database finds by itself become a condition of a kind of its own', (t) => {
  const related = { kind: 'related', keyFrom: 'authorId', model: author, keyTo: 'id', where: near }
  t.strictSame(compileOptionalWhere(book, { authorId: keys }), related)
  t.end()
})

void t.test('an order by a related record stands among the others as it is', (t) => {
  const related = { kind: 'related', keyFrom: 'authorId', model: author, keyTo: 'id', where: undefined } as const
  const clause = { path: ['name'], descending: true, related }
  t.match(compileFilter(book, { order: [new RelatedOrder(clause), 'authorId'] }).order, [
    clause,
    { path: ['authorId'] }
  ])
  t.end()
})

void t.test('a hidden key joins related records, and is no property that a client can ask for', (t) => {
  const within = readingWithin(clientCall())
  for (const compat of [false, true]) {
    const models = buildModels([{ name: 'Tome', properties: { secretId: 'number' }, hidden: ['secretId'] }], { compat })
    const tome = models.typeOf('Tome')
    t.match(compileOptionalWhere(tome, { secretId: keys }, within), { kind: 'related', keyFrom: 'secretId' })
    t.match(compileOptionalWhere(tome, { secretId: new KeySet([1]) }, within), { test: 'in', values: [1] })
    t.match(compileOptionalWhere(tome, { secretId: new KeySet([]) }, within), { kind: 'never' })
  }
  t.throws(() => compileOptionalWhere(book, { secretId: 1 }, within), { code: 'HIDDEN_PROPERTY_IN_FILTER' })
  t.end()
})

void t.test('a distance from related records orders nothing', (t) => {
  t.equal(findNear(compileOptionalWhere(book, { and: [{ authorId: keys }] })), undefined)
  t.end()
})

void t.test('records in memory are not tested by related ones', (t) => {
  const where = compileOptionalWhere(book, { authorId: keys })
  t.throws(() => where && compilePredicate(where), { code: 'INVALID_FILTER' })
  t.end()
})
