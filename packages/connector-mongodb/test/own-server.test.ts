import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import { ObjectId } from 'mongodb'
import t from 'tap'

void t.test(
  'the server of the tests counts a collection by its metadata, as the driver of LoopBack asks',
  async (t) => {
    const { client, drop } = await createTestDatabase()
    t.teardown(drop)
    const books = client.db().collection('books')
    await books.insertMany([{ title: 'a' }, { title: 'b' }])
    const stages = [{ $collStats: { count: {} } }, { $group: { _id: 1, n: { $sum: '$count' } } }]
    t.match(await books.aggregate(stages).toArray(), [{ n: 2 }])
  }
)

void t.test('an update may name the id of the document, but not another one', async (t) => {
  const { client, drop } = await createTestDatabase()
  t.teardown(drop)
  const books = client.db().collection('books')
  const { insertedId: id } = await books.insertOne({ title: 'a' })
  await books.updateOne({ _id: id }, { $set: { _id: id, title: 'b' } })
  await t.rejects(books.updateOne({ _id: id }, { $set: { _id: new ObjectId(), title: 'c' } }), /immutable/)
  t.match(await books.find().toArray(), [{ _id: id, title: 'b' }])
})
