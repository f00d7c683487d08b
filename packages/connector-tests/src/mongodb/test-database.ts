import { randomBytes } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { findServer } from './find-server.ts'

/** A database of its own on a MongoDB server. */
export interface TestDatabase {
  readonly url: string
  /** True where the server was started for the tests, and is not MongoDB's own. */
  readonly isOwn: boolean
  /** Another connection to it. */
  readonly client: MongoClient
  /** Removes the database, and ends the server where the tests started it. */
  readonly drop: () => Promise<void>
}

/** A database on the server of MODELWIRE_MONGODB_URL, or on one that is started for it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await findServer()
  const url = addressOf(server.url, `modelwire_test_${randomBytes(6).toString('hex')}`)
  const client = new MongoClient(url)
  return {
    url,
    isOwn: server.isOwn,
    client,
    drop: async () => {
      await client.db().dropDatabase()
      await client.close()
      await server.stop()
    }
  }
}

/** The address with another database: several hosts are not an address for `URL`. */
function addressOf(server: string, database: string): string {
  const [, start = server, , query = ''] = /^(\w[\w+]*:\/\/[^/?]*)(\/[^?]*)?(\?.*)?$/.exec(server) ?? []
  return `${start}/${database}${query}`
}
