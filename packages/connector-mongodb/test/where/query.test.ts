import t from 'tap'
import { all, allOf, none, queryDocument, some } from '#src/document/query.ts'

const [cheap, red] = [{ price: { $lt: 10 } }, { colour: { $eq: 'red' } }]

t.test('conditions of several fields are one document, as it is written by hand', async (t) => {
  t.same(queryDocument(allOf([some(cheap), all, some(red)])), { ...cheap, ...red })
  t.same(cheap, { price: { $lt: 10 } })
})

t.test('no condition takes the place of another one', async (t) => {
  const others = [{ price: { $gt: 5 } }, { ['__proto__']: { $eq: 1 } }]
  for (const other of others) t.same(queryDocument(allOf([some(cheap), some(other)])), { $and: [cheap, other] })
  const either = { $or: [cheap, red] }
  t.same(queryDocument(allOf([some(either), some(either)])), { $and: [either, either] })
})

t.test('nothing is found where one of the conditions finds nothing', async (t) => {
  t.equal(allOf([some(cheap), none]), none)
})
