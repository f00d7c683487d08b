import t from 'tap'
import { readEndpoint, type StoredRecord } from '#src/models/read-endpoint.ts'

const ofUser = (userId: unknown): unknown => {
  const record = { getId: () => 'ep_1', toObject: () => ({ userId }) } as unknown as StoredRecord // what is read of one
  return readEndpoint(record).userId
}

t.test('whatever the id of a user is, its endpoint is not one of the application', async (t) => {
  class ObjectID {
    toString(): string {
      return '5f0000000000000000000001'
    }
  }
  t.strictSame([ofUser(1), ofUser(0), ofUser('a'), ofUser(new ObjectID())], [1, 0, 'a', '5f0000000000000000000001'])
  t.strictSame([ofUser(undefined), ofUser(null)], [undefined, undefined])
})
