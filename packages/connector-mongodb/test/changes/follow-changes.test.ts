import type { Change } from '@modelwire/core/connector'
import type { ChangeLog } from '@modelwire/core/plugin'
import { startOwnServer, whyNoRealServer } from '@modelwire/connector-tests/mongodb'
import { type ChangeStreamDocument, type ClientSession, type MongoClient, ObjectId, Timestamp } from 'mongodb'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { publishForeignChange } from '#src/changes/follow-changes.ts'
import { OwnWrites } from '#src/client/own-writes.ts'
import { createDocumentMap } from '#src/document/document-map.ts'
import { mongodb } from '#src/mongodb.ts'
import { openModels } from '../open-models.ts'

const models = [
  {
    name: 'Note',
    mongodb: { collection: 'notes' },
    properties: { id: { type: 'string', id: true, generated: true }, text: 'string' }
  }
] as const

const at = (i: number): Timestamp => Timestamp.fromBits(i, 1)

async function open(t: Test) {
  const { registry, model } = await openModels(t, models)
  const heard: Change[] = []
  registry.changes.subscribe('Note', (change) => heard.push(change))
  const own = new OwnWrites()
  const context = {
    own,
    models: () => [model('Note')],
    mapOf: (each: ReturnType<typeof model>) => createDocumentMap(each, {})
  }
  // What does not follow a stream needs no session.
  const tell = async (event: object) =>
    publishForeignChange(
      context as unknown as Parameters<typeof publishForeignChange>[0],
      event as ChangeStreamDocument
    )
  return { heard, own, tell }
}

/** A client whose session says when a write took effect. */
const clientAt = (operationTime: Timestamp) =>
  ({ startSession: () => ({ operationTime, endSession: async () => {} }) }) as unknown as MongoClient

const id = new ObjectId('5f0000000000000000000001')
const event = (operationType: string, time: number, more: object = {}) => ({
  operationType,
  clusterTime: at(time),
  ns: { db: 'db', coll: 'notes' },
  documentKey: { _id: id },
  ...more
})

void t.test('changes of other processes are told with the record as it is', async (t) => {
  const { heard, tell } = await open(t)
  const fullDocument = { _id: id, text: 'a', more: 1 }
  await tell(event('insert', 1, { fullDocument }))
  await tell(event('update', 2, { fullDocument }))
  await tell(event('replace', 3, { fullDocument: null }))
  await tell(event('delete', 4))
  await tell(event('insert', 5, { ns: { db: 'db', coll: 'others' } }))
  await tell({ operationType: 'invalidate', clusterTime: at(6) })
  const after = { id: id.toHexString(), text: 'a', more: 1 }
  t.same(heard, [
    { model: 'Note', kind: 'create', id: after.id, after },
    { model: 'Note', kind: 'update', id: after.id, after },
    { model: 'Note', kind: 'update', id: after.id, after: undefined },
    { model: 'Note', kind: 'remove', id: after.id, after: undefined }
  ])
})

void t.test('changes that are in a log are told by way of that alone', async (t) => {
  const { registry, model } = await openModels(t, [{ ...models[0], changeLog: true }])
  const told: unknown[] = []
  t.intercept(registry.changes, 'publish', { value: (change: Change) => told.push(change) })
  registry.changes.subscribe('Note', () => {})
  const context = {
    own: new OwnWrites(),
    models: () => [model('Note')],
    mapOf: (each: ReturnType<typeof model>) => createDocumentMap(each, {})
  }
  const tell = async (): Promise<void> =>
    publishForeignChange(
      context as unknown as Parameters<typeof publishForeignChange>[0],
      event('insert', 1, { fullDocument: { _id: id } }) as unknown as ChangeStreamDocument
    )
  await tell()
  t.equal(told.length, 1, 'nothing reads the log')
  registry.changeLogs.set('db', {} as ChangeLog)
  await tell()
  t.equal(told.length, 1)
})

void t.test('own writes are not told again', async (t) => {
  const { heard, own, tell } = await open(t)
  await own.during(clientAt(at(1)), async () => ({ insertedId: id }))
  await own.during(clientAt(at(2)), async () => ({ _id: id }))
  await own.during(clientAt(at(3)), async () => ({ lastErrorObject: {}, value: { _id: id } }))
  own.noteAll(at(4))
  for (const time of [1, 2, 3, 4]) await tell(event('update', time))
  t.same(heard, [])
  await tell(event('update', 2, { documentKey: { _id: new ObjectId() } }))
  t.equal(heard.length, 1, 'another document of the same time')
})

void t.test('a write that changed nothing hides no change of others', async (t) => {
  const { heard, own, tell } = await open(t)
  await own.during(clientAt(at(1)), async () => ({ matchedCount: 1, modifiedCount: 0, upsertedCount: 0 }))
  await own.during(clientAt(at(2)), async () => ({ deletedCount: 0 }))
  await own.during(clientAt(at(3)), async () => null)
  for (const time of [1, 2, 3]) await tell(event('update', time))
  t.equal(heard.length, 3)
})

void t.test('a change waits for writes on their way', async (t) => {
  const { heard, own, tell } = await open(t)
  let answer = (_result: object): void => {}
  const answered = new Promise<object>((resolve) => {
    answer = resolve
  })
  const writing = own.during(clientAt(at(1)), async (_session: ClientSession) => answered)
  const telling = tell(event('update', 1))
  answer({ insertedId: id })
  await Promise.all([writing, telling])
  t.same(heard, [])
})

void t.test('a server without change streams stops the start', async (t) => {
  const server = await startOwnServer()
  t.teardown(() => server.stop())
  const connector = mongodb({ url: `${server.url}/x`, changesOfOthers: true })
  await t.rejects(connector.connect(), { code: 'OPTION_INVALID' })
  await connector.disconnect()
})

void t.test('changes of another process are heard of', { skip: whyNoRealServer() }, async (t) => {
  const { registry, db, collection } = await openModels(t, models, { changesOfOthers: true })
  const heard: Change[] = []
  let isFollowing = false
  const enough = new Promise<void>((resolve) => {
    registry.changes.subscribe('Note', (change) => {
      if (change.after?.['text'] === 'first') isFollowing = true
      else heard.push(change)
      if (change.kind === 'remove') resolve()
    })
  })
  // The server says nothing when a stream is open.
  const isHeard = async (): Promise<boolean> => {
    await db.collection('notes').insertOne({ text: 'first' })
    return isFollowing
  }
  await until(isHeard, 'changes to be followed')
  await collection('Note').insert([{ text: 'own' }])
  const { insertedId } = await db.collection('notes').insertOne({ text: 'a' })
  await db.collection('notes').deleteOne({ _id: insertedId })
  await enough
  t.match(heard, [
    { kind: 'create', id: insertedId.toHexString(), after: { text: 'a' } },
    { kind: 'remove', id: insertedId.toHexString() }
  ])
})
