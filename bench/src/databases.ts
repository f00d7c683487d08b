import { whyNoRealServer } from '@modelwire/connector-tests/mongodb'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import { objectIdText } from './bench-data.ts'
import type { MongodbMessage } from './servers/mongodb-child.ts'
import type { ServerKind } from './servers/bench-server.ts'
import { spawnChild } from './spawn-child.ts'

/** A database that one server has to itself. */
export interface OpenDatabase {
  readonly url: string
  readonly drop: () => Promise<void>
}

/** How much is measured where the command line does not say. */
export interface LoadSizes {
  readonly rows: number
  /** Requests of one run of a quick workload. */
  readonly requests: number
}

/** A place for the records of both servers that is none of their processes. */
export interface BenchDatabase {
  readonly kinds: readonly [handwritten: ServerKind, modelwire: ServerKind]
  /** Makes a database for that many products. */
  readonly create: (rows: number) => Promise<OpenDatabase>
  /** The id of the product that was made as the first, second, … one. */
  readonly idOf: (at: number) => string
  readonly sizes: () => LoadSizes
  /** Which server it is, and what has to be known of it. */
  readonly describe: () => string
}

/** Sizes for whatever is as quick as it should be. */
export const usualSizes: LoadSizes = { rows: 10_000, requests: 20_000 }

/** With more the process of the database takes all of the time, and little of it is left for the servers that are measured. */
const sizesOfTestServer: LoadSizes = { rows: 120, requests: 1000 }

/** All databases, by the name of `--database`. */
export const databases = {
  postgresql: {
    kinds: ['handwritten-postgresql', 'modelwire-postgresql'],
    create: createTestDatabase,
    idOf: String,
    sizes: () => usualSizes,
    describe: () => 'PostgreSQL'
  },
  mongodb: {
    kinds: ['handwritten-mongodb', 'modelwire-mongodb'],
    create: spawnMongodb,
    idOf: objectIdText,
    sizes: () => (whyNoRealServer() === false ? usualSizes : sizesOfTestServer),
    describe: () =>
      whyNoRealServer() === false
        ? 'MongoDB at MODELWIRE_MONGODB_URL'
        : 'CongoServer, the MongoDB server of the tests, which looks at every document: hence few records and requests'
  }
} as const satisfies Readonly<Record<string, BenchDatabase>>

/** The name of a database. */
export type DatabaseName = keyof typeof databases

/** A MongoDB database with the records in it: by a process of its own, in which its server runs, too, where it is that of the tests. */
async function spawnMongodb(rows: number): Promise<OpenDatabase> {
  const child = spawnChild<never, MongodbMessage>('./servers/mongodb-child.js', { rows })
  const { url } = await child.next()
  return { url, drop: child.stop }
}
