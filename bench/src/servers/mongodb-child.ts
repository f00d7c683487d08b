// A MongoDB database in a process of its own: what a server of the tests costs is not that of the servers that are measured.
import { createTestDatabase, whyNoRealServer } from '@modelwire/connector-tests/mongodb'
import { fillMongodb } from './fill-mongodb.ts'

/** The message of the process once the records are there. */
export interface MongodbMessage {
  readonly url: string
  /** Name and version of the server. */
  readonly version: string
}

// `spawnMongodb` wrote it.
const { rows } = JSON.parse(process.argv[2] ?? '{}') as { rows: number }
const database = await createTestDatabase()
await fillMongodb(database.client, rows)
process.on('disconnect', () => void end())
const { version } = await database.client.db().command({ buildInfo: 1 })
const name =
  whyNoRealServer() === false ? 'MongoDB' : 'CongoServer, the MongoDB server of the tests, which tells version'
const message: MongodbMessage = { url: database.url, version: `${name} ${version}` }
process.send?.(message)

async function end(): Promise<void> {
  await database.drop()
  process.exit()
}
