import { ModelRegistry } from '@modelwire/core'
import type { Collection, Connector, Row } from '@modelwire/core/connector'
import { until } from '@modelwire/test-waits'
import type { Test } from 'tap'
import type { SqlTestsOptions } from './sql-case.ts'

/** How a test looks at the server behind the connector. */
export interface ServerView {
  /** Makes a view of the name with a number `id`, whose reading takes longer than any test waits. */
  readonly makeSlow: (name: string) => Promise<void>
  /** Runs statements on the database. */
  readonly run: (...statements: readonly string[]) => Promise<unknown>
  /** Locks a table until the returned function is called. */
  readonly lock: (t: Test, name: string) => Promise<() => Promise<void>>
  /** How many statements run, or wait for a lock, that read this table or view. */
  readonly countBusy: (name: string) => Promise<number>
  /** The server's numbers of the connections to the database, but for its own. */
  readonly listConnections: () => Promise<readonly unknown[]>
}

/** What a test of callers that leave works with: a slow view, a table that is read at once, and two connections. */
interface Place {
  readonly connector: Connector
  readonly slow: Collection
  readonly quick: Collection
  readonly untilBusy: (name: string, count: number) => Promise<void>
  /** Resolves when the connections to the server are those that the test began with. */
  readonly untilSame: () => Promise<void>
}

const everything = { order: [], skip: 0 }
const cancelled = { code: 'STATEMENT_CANCELLED' }
/** Longer than any test takes. */
const never = 600_000

/** Opens two connections, which stay open. */
async function open(
  t: Test,
  options: SqlTestsOptions,
  server: ServerView,
  cancelAfter: number,
  further: Readonly<Record<string, unknown>> = {}
): Promise<Place> {
  const registry = new ModelRegistry()
  const connector = options.create({ max: 2, connectionLimit: 2, idleTimeoutMillis: 0, cancelAfter, ...further })
  registry.addDataSource('db', connector)
  t.teardown(() => registry.disconnect())
  const collectionOf = (name: string): Collection => {
    registry.define({ name, strict: true, properties: { id: { type: 'number', id: true } } })
    registry.attach(name, 'db')
    const { collection } = registry.typeOf(name)
    if (collection === undefined) throw new Error('it is attached')
    return collection
  }
  const [slow, quick] = [collectionOf('slow'), collectionOf('quick')]
  const both = await Promise.all([connector.beginTransaction?.(), connector.beginTransaction?.()])
  await Promise.all(both.map(async (each) => each?.rollback()))
  const list = async (): Promise<string> => (await server.listConnections()).join()
  // One that killed a statement of the test before may still be closing.
  const onlyTwo = async (): Promise<string | undefined> => {
    const numbers = await list()
    return numbers.split(',').length === 2 ? numbers : undefined
  }
  const before = await until(onlyTwo, 'two connections to be open')
  return {
    connector,
    slow,
    quick,
    untilBusy: async (name, count) =>
      void (await until(async () => (await server.countBusy(name)) === count, `${count} reads of ${name} to run`)),
    untilSame: async () => void (await until(async () => (await list()) === before, `${before} to be the connections`))
  }
}

type Read = (collection: Collection, options: { signal: AbortSignal }) => unknown

/** Reads all parts; a connector without parts says so. */
async function readAll(parts: AsyncIterable<readonly Row[]> | undefined): Promise<void> {
  if (parts === undefined) throw new Error('it reads no parts')
  for await (const rows of parts) if (rows.length === 0) break
}

const byKeys = { keys: [1], property: 'id', filter: everything }
const reads: Readonly<Record<string, Read>> = {
  'a list': (each, options) => each.find(everything, options),
  'a list in parts': async (each, options) => readAll(await each.findInParts?.(everything, options)),
  'a count': (each, options) => each.count(undefined, options),
  'a read by id': (each, options) => each.findById(1, options),
  'a read of related records': (each, options) => each.findRelated?.(byKeys, options)
}

/** Resolves when a read has ended whose client leaves about when it is answered. */
async function leaveSoon(t: Test, read: (options: { signal: AbortSignal }) => unknown): Promise<void> {
  const leaving = new AbortController()
  setImmediate(() => leaving.abort())
  const [end] = await Promise.allSettled([(async () => read(leaving))()])
  if (end.status === 'rejected') t.match(end.reason, cancelled)
}

async function shortTests(t: Test, options: SqlTestsOptions, server: ServerView): Promise<void> {
  await t.test('short reads whose clients leave run to their end, on connections that stay', async (t) => {
    const { quick, untilBusy, untilSame } = await open(t, options, server, never)
    for (let round = 0; round < 50; round++) {
      await Promise.all(Object.values(reads).map(async (read) => leaveSoon(t, (leaving) => read(quick, leaving))))
    }
    await untilBusy('quick', 0)
    await untilSame()
    t.match(await quick.find(everything), [{ id: 1 }])
  })

  await t.test('a cancel reaches no read but the one whose client left', async (t) => {
    const { quick, untilSame } = await open(t, options, server, 0)
    for (let round = 0; round < 100; round++) {
      const left = leaveSoon(t, (leaving) => quick.find(everything, leaving))
      const stays = Promise.all([quick.find(everything), quick.findById(1)])
      await left
      t.match(await Promise.all([stays, quick.count(undefined)]), [[[{ id: 1 }], { id: 1 }], 1])
    }
    await untilSame()
  })
}

async function longTests(t: Test, options: SqlTestsOptions, server: ServerView): Promise<void> {
  for (const [what, read] of Object.entries(reads))
    await t.test(
      `${what} whose client left is cancelled when it runs for long, and its connection stays`,
      async (t) => {
        const { slow, quick, untilBusy, untilSame } = await open(t, options, server, 100)
        const leaving = new AbortController()
        const end = t.rejects(async () => read(slow, leaving), cancelled)
        await untilBusy('slow', 1)
        leaving.abort()
        await end
        await untilBusy('slow', 0)
        await untilSame()
        t.match(await Promise.all([quick.find(everything), quick.count(undefined)]), [[{ id: 1 }], 1])
      }
    )
}

async function lockTests(t: Test, options: SqlTestsOptions, server: ServerView): Promise<void> {
  await t.test('so is one that waits for a lock', async (t) => {
    const { quick, untilBusy, untilSame } = await open(t, options, server, 100)
    const unlock = await server.lock(t, 'quick')
    const leaving = new AbortController()
    const ends = Object.values(reads)
      .slice(0, 2)
      .map(async (read) => t.rejects(async () => read(quick, leaving), cancelled))
    await untilBusy('quick', 2)
    leaving.abort()
    await Promise.all(ends)
    await untilBusy('quick', 0)
    await unlock()
    await untilSame()
    t.equal(await quick.count(undefined), 1)
  })

  await t.test('and one within a transaction, which is rolled back', async (t) => {
    const { connector, slow, quick, untilBusy, untilSame } = await open(t, options, server, 100)
    const leaving = new AbortController()
    const work = async (): Promise<unknown> => {
      await quick.insert([{ id: 2 }])
      return slow.find(everything, leaving)
    }
    const end = t.rejects(async () => connector.transaction?.(work), cancelled)
    await untilBusy('slow', 1)
    leaving.abort()
    await end
    await untilSame()
    t.equal(await quick.count(undefined), 1)
  })
}

async function partTests(t: Test, options: SqlTestsOptions, server: ServerView): Promise<void> {
  await t.test('a list whose client reads slowly gives its connection back after a time', async (t) => {
    const { connector, quick, untilBusy, untilSame } = await open(t, options, server, never, { statementTimeout: 500 })
    await quick.insert(Array.from({ length: 1000 }, (_, at) => ({ id: at + 100 })))
    const parts = (await quick.findInParts?.(everything))?.[Symbol.asyncIterator]()
    t.equal((await parts?.next())?.done, false)
    // The only connection that such lists may have.
    const others = await quick.findInParts?.(everything)
    await readAll(others)
    await t.rejects(async () => parts?.next(), { code: 'STATEMENT_TIMEOUT' })
    await untilBusy('quick', 0)
    await untilSame()
    await connector.transaction?.(async () => t.equal(await quick.findInParts?.(everything), undefined))
    t.equal(await quick.delete({ kind: 'test', path: ['id'], test: 'range', bounds: [{ is: '>=', value: 100 }] }), 1000)
  })
}

async function queueTests(t: Test, options: SqlTestsOptions, server: ServerView): Promise<void> {
  await t.test('a client that leaves while its read waits for a connection is not waited for', async (t) => {
    const { slow, quick, untilBusy, untilSame } = await open(t, options, server, 0)
    const [staying, leaving] = [new AbortController(), new AbortController()]
    const others = [1, 2].map(async () => t.rejects(async () => slow.find(everything, staying), cancelled))
    await untilBusy('slow', 2)
    const waiting = Object.values(reads).map(async (read) => t.rejects(async () => read(quick, leaving), cancelled))
    leaving.abort()
    await Promise.all(waiting)
    t.equal(await server.countBusy('slow'), 2)
    staying.abort()
    await Promise.all(others)
    await untilSame()
  })

  await t.test('a read whose client has left already asks the server nothing', async (t) => {
    const { slow } = await open(t, options, server, never)
    for (const read of Object.values(reads))
      await t.rejects(async () => read(slow, { signal: AbortSignal.abort() }), cancelled)
    t.equal(await server.countBusy('slow'), 0)
  })
}

/** Reads whose callers leave: one test, for servers that work in the background. */
export async function abortTests(t: Test, options: SqlTestsOptions, server: ServerView): Promise<void> {
  await server.makeSlow('slow')
  await server.run('create table quick (id int primary key)', 'insert into quick values (1)')
  await shortTests(t, options, server)
  await longTests(t, options, server)
  await lockTests(t, options, server)
  await partTests(t, options, server)
  await queueTests(t, options, server)
}
