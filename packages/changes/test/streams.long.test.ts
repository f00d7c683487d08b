import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { runs, until } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import type { ChangeLog } from '@modelwire/core/plugin'
import { type ConnectorChangeLog, LogPositionUnknown } from '@modelwire/core/connector'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { type Database, databases } from './databases.ts'
import { openApp } from './open-app.ts'

/** A client of the event stream of items. */
interface Follower {
  /** Names of the items in the events so far. */
  readonly names: () => string[]
  readonly text: () => string
  /** The id of the last event. */
  readonly lastId: () => string
  readonly isOver: () => boolean
  readonly close: () => void
}

async function follow(app: FastifyInstance, lastEventId?: string): Promise<Follower> {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const answer = await app.inject({ url: '/api/Items/change-stream', headers, payloadAsStream: true })
  const stream: Readable = answer.stream()
  let text = ''
  let isOver = false
  stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  stream.on('close', () => (isOver = true)).on('error', () => {})
  return {
    names: () => Array.from(text.matchAll(/"name":"([^"]*)"/g), ([, name = '']) => name),
    text: () => text,
    lastId: () => Array.from(text.matchAll(/^id: (\S+)$/gm), ([, id = '']) => id).at(-1) ?? '',
    isOver: () => isOver,
    close: () => stream.destroy()
  }
}

async function createNamed(app: FastifyInstance, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/api/Items', payload: { name } })
    if (statusCode !== 200) throw new Error(`${name} was not created: ${body}`)
  }
}

const seen = async (follower: Follower, names: readonly string[]): Promise<unknown> =>
  until(
    () => follower.names().length >= names.length,
    () => `${names.join()}, not ${follower.names().join()}`
  )

const open = async (t: Test, database: Database, migrates = false): Promise<FastifyInstance> =>
  openApp(t, { connector: database.connect(), migrates })

for (const { name, skip, create } of databases) {
  t.test(`${name}: a client goes on in another process, after all others have ended`, { skip }, async (t) => {
    const database = await create()
    t.teardown(database.drop)
    const [one, two] = [await open(t, database, true), await open(t, database)]
    const first = await follow(one)
    await createNamed(two, ['a', 'b'])
    await seen(first, ['a', 'b'])
    first.close()
    await createNamed(one, ['c'])
    await one.close()
    await createNamed(two, ['d'])
    await two.close()
    const three = await open(t, database)
    const again = await follow(three, first.lastId())
    await createNamed(three, ['e'])
    await seen(again, ['c', 'd', 'e'])
    t.strictSame(again.names(), ['c', 'd', 'e'])
    t.notMatch(again.text(), /event: reset/)
  })

  t.test(
    `${name}: a client that was away too long, or invents an id, is told that it missed some`,
    { skip },
    async (t) => {
      const database = await create()
      t.teardown(database.drop)
      const app = await open(t, database, true)
      const first = await follow(app)
      await createNamed(app, ['a', 'b'])
      await seen(first, ['a', 'b'])
      const [, id = ''] = /^id: (\S+)$/m.exec(first.text()) ?? []
      const log = app.models.dataSources.get('db')?.connector.changeLog?.([app.models.typeOf('Item')])
      const { forget } = database
      if (forget !== undefined && log !== undefined) t.equal(await forget(log), 2)
      for (const lost of [...(forget === undefined ? [] : [id]), 'x', 'A'.repeat(22)]) {
        const late = await follow(app, lost)
        await until(() => late.text().includes('id: '), 'the beginning of the stream')
        t.match(late.text(), /event: reset/, lost)
      }
      await createNamed(app, ['c'])
      await seen(first, ['a', 'b', 'c'])
      const last = await follow(app, first.lastId())
      await createNamed(app, ['d'])
      await seen(last, ['d'])
      t.notMatch(last.text(), /event: reset/, 'nothing behind its position was purged')
    }
  )
}

const [sqlite] = databases

t.test(
  'where changes were purged that a process has not read, its streams end rather than leave them out',
  async (t) => {
    const database = await (sqlite as (typeof databases)[0]).create() // the first kind
    t.teardown(database.drop)
    const connector = database.connect()
    const makeLog = connector.changeLog?.bind(connector)
    let isPurged = false
    connector.changeLog = (models) => {
      const log = makeLog?.(models)
      if (log === undefined) throw new Error('SQLite keeps a log')
      const read: ConnectorChangeLog['read'] = async (...from) => {
        if (isPurged) throw new LogPositionUnknown('changes after the position were purged')
        return log.read(...from)
      }
      return { ...log, read }
    }
    const app = await openApp(t, { connector })
    const first = await follow(app)
    await createNamed(app, ['a'])
    await seen(first, ['a'])
    isPurged = true
    await createNamed(app, ['b'])
    await until(() => first.isOver(), 'the stream to end')
    t.strictSame(first.names(), ['a'])
    isPurged = false
    const isFollowed = async (): Promise<boolean> => {
      const [{ status }] = await Promise.allSettled([app.models.changeLogs.get('db')?.heard()])
      return status === 'fulfilled'
    }
    await until(isFollowed, 'the log to be read again')
    const again = await follow(app, first.lastId())
    await seen(again, ['b'])
    t.strictSame(again.names(), ['b'], 'in this test nothing was purged')
  }
)

t.test('a reader that is too slow reads from the log what did not wait for it', async (t) => {
  const database = await (sqlite as (typeof databases)[0]).create() // the first kind
  t.teardown(database.drop)
  const app = await openApp(t, { connector: database.connect(), changeStreams: { waiting: 3, kept: 2 } })
  const Item = app.models.get('Item')
  const stream = await Item.createChangeStream()
  t.teardown(() => stream.destroy())
  const names = Array.from({ length: 40 }, (_, at) => `item ${at}`)
  for (const name of names.slice(0, 20)) await Item.create({ name })
  await until(() => stream.readableLength >= 3, 'events to wait')
  const heard: unknown[] = []
  stream.on('data', ({ data }: { data: { name: string } }) => heard.push(data.name))
  for (const name of names.slice(20)) await Item.create({ name })
  await until(
    () => heard.length >= names.length,
    () => `40 events, not ${heard.length}`
  )
  t.strictSame(heard, names)
})

t.test('however many come back at once, few read the log at the same time', async (t) => {
  const database = await (databases[0] as (typeof databases)[0]).create() // the first kind
  t.teardown(database.drop)
  // Nothing is kept in memory.
  const app = await openApp(t, { connector: database.connect(), changeStreams: { kept: 1 } })
  const first = await follow(app)
  await until(() => first.lastId() !== '', 'the beginning of the stream')
  const start = first.lastId()
  await createNamed(app, ['a', 'b', 'c'])
  await seen(first, ['a', 'b', 'c'])
  const log = app.models.changeLogs.get('db') as ChangeLog // the models log their changes
  const read = log.read.bind(log)
  let [reading, most] = [0, 0]
  const counted: ChangeLog['read'] = async (after, limit) => {
    // One entry is read to see whether a position is known.
    if (limit === 1) return read(after, limit)
    most = Math.max(most, ++reading)
    await new Promise(setImmediate)
    const page = await read(after, limit)
    reading--
    return page
  }
  Object.assign(log, { read: counted })
  const back = await Promise.all(Array.from({ length: 10 }, async () => follow(app, start)))
  for (const each of back) await seen(each, ['a', 'b', 'c'])
  t.ok(most > 0 && most <= 3, `${most} at once`)
})

t.test('where nothing logs the changes yet, streams are refused until the database is migrated', async (t) => {
  const database = await (sqlite as (typeof databases)[0]).create() // the first kind
  t.teardown(database.drop)
  const app = await open(t, database)
  const refused = await app.inject('/api/Items/change-stream')
  t.equal(refused.statusCode, 503)
  t.match(refused.json(), { error: { code: 'CHANGE_LOG_NOT_MIGRATED' } })
})

t.test('no position that a client can write is an accident', async (t) => {
  const database = await (sqlite as (typeof databases)[0]).create() // the first kind
  t.teardown(database.drop)
  const app = await open(t, database, true)
  await createNamed(app, ['a'])
  const log = app.models.changeLogs.get('db')
  await log?.heard()
  const position = fc.oneof(
    fc.string(),
    fc.base64String(),
    fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('base64url'))
  )
  await fc.assert(
    fc.asyncProperty(position, async (text) => {
      await t.rejects(async () => log?.read(text, 10), { code: 'LOG_POSITION_UNKNOWN', statusCode: 410 })
    }),
    { numRuns: runs(200) }
  )
})

t.test('positions do not show whether anything has changed', async (t) => {
  const database = await (sqlite as (typeof databases)[0]).create() // the first kind
  t.teardown(database.drop)
  const app = await open(t, database, true)
  const [one, two] = [await follow(app), await follow(app)]
  await until(() => one.lastId() !== '' && two.lastId() !== '', 'the beginnings of the streams')
  t.not(one.lastId(), two.lastId())
  t.equal(one.lastId().length, two.lastId().length)
})

t.test('a stream ends with its connection, and the application with its streams', async (t) => {
  const database = await (sqlite as (typeof databases)[0]).create() // the first kind
  t.teardown(database.drop)
  const app = await open(t, database, true)
  const stream = await app.models.get('Item').createChangeStream()
  await app.close()
  t.equal(app.models.changeLogs.size, 1)
  stream.destroy()
  await once(stream, 'close')
})
