import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
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
