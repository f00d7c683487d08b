import { Decimal128, ObjectId } from 'mongodb'
import t from 'tap'
import { note, openLog, readAll } from './open-log.ts'

const shape = ({ kind, row }: { kind: string; row: object }): readonly unknown[] => [kind, Reflect.get(row, 'text')]

void t.test('entries have the record after each change, and as it was before it was removed', async (t) => {
  const { log, db } = await openLog(t)
  const start = await log.latest()
  const notes = db.collection('notes')
  const { insertedId } = await notes.insertOne({ text: 'a', password: 'secret', n: 1, more: true })
  await notes.updateOne({ _id: insertedId }, { $set: { text: 'b' } })
  await notes.replaceOne({ _id: insertedId }, { text: 'c', n: 2 })
  await notes.deleteOne({ _id: insertedId })
  await db.collection('others').insertOne({ text: 'not logged' })
  const entries = await readAll(log, start)
  const id = insertedId.toHexString()
  t.strictSame(
    entries.map(({ model, kind, row }) => ({ model, kind, row })),
    [
      { model: 'Note', kind: 'create', row: { id, text: 'a', n: 1, more: true } },
      { model: 'Note', kind: 'update', row: { id, text: 'b', n: 1, more: true } },
      { model: 'Note', kind: 'update', row: { id, text: 'c', n: 2 } },
      { model: 'Note', kind: 'remove', row: { id, text: 'c', n: 2 } }
    ]
  )
  t.ok(entries.every(({ at }) => Math.abs(Date.now() - at.getTime()) < 60_000))
})

void t.test('servers before version 6 show the record as it is, and removals with the id alone', async (t) => {
  const { log, db } = await openLog(t, { wireVersion: 13 })
  t.same(await log.unprepared(), [])
  const start = await log.latest()
  const notes = db.collection('notes')
  const [kept, gone] = [new ObjectId(), new ObjectId()]
  await notes.insertMany([
    { _id: kept, text: 'a' },
    { _id: gone, text: 'x' }
  ])
  await notes.updateOne({ _id: kept }, { $set: { text: 'b' } })
  await notes.updateOne({ _id: gone }, { $set: { text: 'y' } })
  await notes.updateOne({ _id: kept }, { $set: { text: 'c' } })
  await notes.deleteOne({ _id: gone })
  const entries = await readAll(log, start)
  t.same(entries.map(shape), [
    ['create', 'a'],
    ['create', 'x'],
    ['update', 'c'],
    ['update', 'c'],
    ['remove', undefined]
  ])
  t.strictSame(entries.at(-1)?.row, { id: gone.toHexString() })
})

void t.test('a single server keeps no log, and a collection none before it is migrated', async (t) => {
  const single = await openLog(t, { isSingle: true })
  t.equal(single.log.isKept?.(), false)
  t.same(await single.log.unprepared(), ['Note'])
  const { log, db, migrate } = await openLog(t, { migrates: false })
  t.equal(log.isKept?.(), true)
  t.same(await log.unprepared(), ['Note'], 'without a collection')
  await db.createCollection('notes')
  t.same(await log.unprepared(), ['Note'], 'without the setting')
  await migrate()
  t.same(await log.unprepared(), [])
})

void t.test('another process goes on where one ended', async (t) => {
  const { log, db, another, connector } = await openLog(t)
  const start = await log.latest()
  await db.collection('notes').insertMany(['a', 'b', 'c', 'd', 'e'].map((text) => ({ text })))
  const first = await log.read(start, 2)
  await connector.disconnect()
  const { log: next } = await another()
  const rest = await readAll(next, first.at(-1)?.position ?? '', 2)
  t.same(
    [...first, ...rest].map(({ row }) => row['text']),
    ['a', 'b', 'c', 'd', 'e']
  )
  const positions = [start, ...first.map(({ position }) => position), ...rest.map(({ position }) => position)]
  for (const [at, position] of positions.entries())
    for (const [before, other] of positions.entries()) t.equal(next.isBehind(position, other), at > before)
  t.ok(next.isBehind(await next.latest(), rest.at(-1)?.position ?? ''))
  t.equal(await next.purge(new Date()), 0, 'what is older is removed by the server')
})

void t.test('a process that connects again goes on reading', async (t) => {
  const { log, db, connector } = await openLog(t)
  const start = await log.latest()
  await db.collection('notes').insertOne({ text: 'a' })
  const [first] = await log.read(start, 10)
  await connector.disconnect()
  await t.rejects(log.read(start, 10), { code: 'DATA_SOURCE_UNAVAILABLE' })
  await connector.connect()
  await db.collection('notes').insertOne({ text: 'b' })
  t.same((await readAll(log, first?.position ?? '')).map(shape), [['create', 'b']])
})

void t.test('positions are other texts each time, of one length, and no others are understood', async (t) => {
  const { log, db } = await openLog(t)
  const start = await log.latest()
  await db.collection('notes').insertOne({ text: 'a' })
  const [entry] = await log.read(start, 10)
  const texts = [start, entry?.position ?? '', log.disguise(start), log.disguise(start), await log.latest()]
  t.equal(new Set(texts).size, texts.length)
  t.equal(new Set(texts.map(({ length }) => length)).size, 1)
  t.same((await log.read(log.disguise(start), 10)).map(shape), [['create', 'a']])
  for (const text of ['', 'x', 'A'.repeat(22), start.slice(0, -4), `${start.slice(0, 40)}AAAA${start.slice(44)}`])
    await t.rejects(log.read(text, 10), { code: 'LOG_POSITION_UNKNOWN', statusCode: 410 })
  t.equal(log.disguise('x'), 'x')
  t.equal(log.isBehind('x', start), false)
})

void t.test('before a log is read, it understands no positions', async (t) => {
  const { log, another } = await openLog(t)
  const start = await log.latest()
  const { log: unread } = await another()
  t.equal(unread.disguise(start), start)
  t.equal(unread.isBehind(start, start), false)
})

void t.test('what the server has removed cannot be gone on from', async (t) => {
  const { log, db, server, another } = await openLog(t)
  const start = await log.latest()
  const notes = db.collection('notes')
  await notes.insertOne({ text: 'a' })
  await notes.updateMany({}, { $set: { text: 'b' } })
  await notes.insertOne({ text: 'c' })
  server.forgetImages()
  const [first, ...others] = await log.read(start, 10)
  t.same([first?.row['text'], others], ['a', []], 'what comes before a record that is removed')
  await t.rejects(log.read(first?.position ?? '', 10), { code: 'LOG_POSITION_UNKNOWN' })
  server.forgetChanges()
  const { log: next } = await another()
  await t.rejects(next.read(start, 10), { code: 'LOG_POSITION_UNKNOWN' })
})

for (const code of [136, 260, 280, 286])
  void t.test(`the error ${code} of the server is a position that is unknown`, async (t) => {
    const { log, server } = await openLog(t)
    const start = await log.latest()
    server.failNext('aggregate', { ok: 0, code, errmsg: 'refused' })
    await t.rejects(log.read(start, 10), { code: 'LOG_POSITION_UNKNOWN' })
    t.same(await log.read(start, 10), [], 'the next one is answered')
  })

void t.test('other errors are those of the database, and reading goes on behind them', async (t) => {
  const { log, db, server } = await openLog(t)
  const start = await log.latest()
  server.failNext('aggregate', { ok: 0, code: 13, errmsg: 'not authorized' })
  await t.rejects(log.read(start, 10), { code: 'DATABASE_PERMISSION_DENIED' })
  t.same(await log.read(start, 10), [])
  await db.collection('notes').insertOne({ text: 'a' })
  server.failNext('getMore', { ok: 0, code: 43, errmsg: 'cursor id not found' })
  t.same((await log.read(start, 10)).map(shape), [['create', 'a']], 'the driver opens its stream again')
  server.failNext('getMore', { ok: 0, code: 237, errmsg: 'cursor killed' })
  await db.collection('notes').insertOne({ text: 'b' })
  const [first] = await log.read(start, 1)
  await t.rejects(log.read(first?.position ?? '', 10), { code: 'DATABASE_FAILED' })
  t.same((await readAll(log, first?.position ?? '')).map(shape), [['create', 'b']])
})

void t.test('one stream is kept open for reads that go on, and is closed with the data source', async (t) => {
  const { log, db, server, connector } = await openLog(t)
  const opened = (): number =>
    server.commands.filter(({ pipeline }) => Array.isArray(pipeline) && '$changeStream' in Object(pipeline[0])).length
  let position = await log.latest()
  const before = opened()
  for (const text of ['a', 'b', 'c']) {
    await log.read(position, 10)
    await db.collection('notes').insertOne({ text })
    const [entry] = await log.read(position, 10)
    t.equal(entry?.row['text'], text)
    position = entry?.position ?? position
  }
  t.equal(opened() - before, 1)
  await log.read(position, 10)
  const killed = server.commands.filter((command) => 'killCursors' in command).length
  await connector.disconnect()
  t.equal(server.commands.filter((command) => 'killCursors' in command).length, killed + 1)
})

void t.test('a reader far behind does not take the stream of one that follows', async (t) => {
  const { log, db, server } = await openLog(t)
  const opened = (): number => server.commands.filter(({ pipeline }) => Array.isArray(pipeline)).length
  const start = await log.latest()
  await db.collection('notes').insertMany([{ text: 'a' }, { text: 'b' }])
  const entries = await log.read(start, 10)
  const last = entries.at(-1)?.position ?? ''
  t.equal((await log.read(start, 1)).length, 1)
  const before = opened()
  t.same(await log.read(last, 10), [])
  t.equal(opened(), before)
})

void t.test('a log that is quiet moves on with that of the server', async (t) => {
  const { log, db, server, another } = await openLog(t)
  const start = await log.latest()
  await db.collection('others').insertOne({ text: 'not logged' })
  t.same(await log.read(start, 10), [])
  const moved = log.disguise(start)
  server.forgetChanges()
  server.failNext('getMore', { ok: 0, code: 237, errmsg: 'cursor killed' })
  await t.rejects(log.read(start, 10), { code: 'DATABASE_FAILED' })
  await db.collection('notes').insertOne({ text: 'a' })
  t.same((await log.read(start, 10)).map(shape), [['create', 'a']])
  const { log: next } = await another()
  t.same((await next.read(moved, 10)).map(shape), [['create', 'a']])
  await t.rejects(next.read(start, 10), { code: 'LOG_POSITION_UNKNOWN' })
})

void t.test('models that share a collection have an entry each, and pages may end between them', async (t) => {
  const definitions = [note, { ...note, name: 'Memo' }]
  const { log, db, another } = await openLog(t, { definitions })
  const start = await log.latest()
  await db.collection('notes').insertMany([{ text: 'a' }, { text: 'b' }])
  const entries = []
  for (let position = start; ; position = entries.at(-1)?.position ?? position) {
    // Each page is read by another process.
    const { log: reader } = await another()
    const page = await reader.read(position, 1)
    if (page.length === 0) break
    entries.push(...page)
  }
  t.same(
    entries.map(({ model, row }) => [model, row['text']]),
    [
      ['Note', 'a'],
      ['Memo', 'a'],
      ['Note', 'b'],
      ['Memo', 'b']
    ]
  )
  for (const [at, { position }] of entries.entries())
    for (const [before, { position: other }] of entries.entries()) t.equal(log.isBehind(position, other), at > before)
  for (const limit of [2, 3]) {
    const rest = await readAll(log, entries[0]?.position ?? '', limit)
    t.same(
      rest.map(({ model, row }) => `${model} ${String(row['text'])}`),
      ['Memo a', 'Note b', 'Memo b']
    )
  }
})

void t.test('a log goes on when its database is dropped', async (t) => {
  const { log, db, migrate } = await openLog(t)
  const start = await log.latest()
  await db.collection('notes').insertOne({ text: 'a' })
  await db.dropDatabase()
  await migrate()
  await db.collection('notes').insertOne({ text: 'b' })
  t.same((await readAll(log, start)).map(shape), [
    ['create', 'a'],
    ['create', 'b']
  ])
})

void t.test('a record that cannot be read keeps readers from nothing else', async (t) => {
  const { log, db } = await openLog(t)
  const start = await log.latest()
  const warned = new Promise<unknown>((resolve) => process.once('warning', resolve))
  await db
    .collection('notes')
    .insertMany([{ text: 'a', n: Decimal128.fromString('1234567890123456789.123') }, { text: 'b' }])
  t.same((await readAll(log, start)).map(shape), [['create', 'b']])
  t.match(await warned, { code: 'MODELWIRE_CHANGE_UNREADABLE' })
})

void t.test('two processes that begin at the same time have one secret', async (t) => {
  const { log, server, another } = await openLog(t)
  server.failNext('findAndModify', { ok: 0, code: 11000, errmsg: 'E11000 duplicate key error', keyPattern: { _id: 1 } })
  const start = await log.latest()
  const { log: other } = await another()
  t.same(await other.read(start, 10), [])
})

void t.test('a server that does not say where its streams are has no log', async (t) => {
  const { log, server } = await openLog(t)
  await log.latest()
  server.failNext('aggregate', { ok: 1, cursor: { id: 0n, ns: 'logged.$cmd.aggregate', firstBatch: [] } })
  await t.rejects(log.latest(), { code: 'NOT_IMPLEMENTED' })
})
