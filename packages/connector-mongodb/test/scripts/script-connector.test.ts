import { createRequire } from 'node:module'
import { ObjectId } from 'mongodb'
import t, { type Test } from 'tap'
import { openModels } from '../open-models.ts'

/** What scripts call: it has no types. */
// oxlint-disable-next-line no-explicit-any
type Script = any

const models = [{ name: 'Note', mongodb: { collection: 'notes' }, properties: { text: 'string', n: 'number' } }]

async function open(t: Test) {
  const { connector, collection } = await openModels(t, models)
  await collection('Note').insert([
    { text: 'a', n: 1 },
    { text: 'b', n: 2 }
  ])
  return { connector: connector.scriptConnector as Script, members: connector.scriptMembers as Script }
}

/** Calls with a callback, as scripts of LoopBack 3 do. */
const called = async (call: (callback: (error: unknown, result: unknown) => void) => unknown): Promise<Script> =>
  new Promise((resolve, reject) => {
    call((error, result) => (error === null ? resolve(result) : reject(error as Error)))
  })

void t.test('scripts find collections by the names of models, with callbacks and promises', async (t) => {
  const { connector } = await open(t)
  const notes = connector.collection('Note')
  t.match(await called((done) => notes.find({ n: { $gt: 1 } }).toArray(done)), [{ text: 'b' }])
  t.match(await notes.find({}).sort({ n: -1 }).limit(1).toArray(), [{ text: 'b' }])
  const sums = notes.aggregate([{ $group: { _id: null, sum: { $sum: '$n' } } }])
  t.match(await called((done) => sums.toArray(done)), [{ sum: 3 }])
  const cursor = await called((done) => notes.aggregate([{ $match: { n: 1 } }], done))
  t.match(await cursor.toArray(), [{ text: 'a' }])
  t.match(await called((done) => notes.findOne({ n: 1 }, done)), { text: 'a' })
  t.equal(await called((done) => connector.db.collection('notes').count({}, done)), 2)
  const each: unknown[] = []
  await new Promise<void>((resolve) => {
    notes.find({}).each((_error: unknown, note: Script) => (note === null ? resolve() : void each.push(note.text)))
  })
  t.same(each, ['a', 'b'])
  await called((done) => notes.find({}).forEach((note: Script) => void each.push(note.n), done))
  t.same(each, ['a', 'b', 1, 2])
})

void t.test('methods of older drivers answer as they did', async (t) => {
  const { connector } = await open(t)
  const notes = connector.collection('Note')
  const inserted = await called((done) => notes.insert({ text: 'c' }, done))
  t.match(inserted, { insertedCount: 1, result: { ok: 1, n: 1 }, ops: [{ text: 'c' }] })
  t.match(await notes.insert([{ text: 'd' }, { text: 'e' }]), { insertedCount: 2, ops: [{ text: 'd' }, { text: 'e' }] })
  t.match(await notes.update({ text: 'a' }, { $set: { n: 5 } }), { result: { n: 1, nModified: 1 } })
  t.match(await notes.update({}, { $set: { m: 1 } }, { multi: true }), { result: { n: 5 } })
  t.match(await notes.update({ text: 'e' }, { text: 'f' }), { result: { n: 1 } })
  const found = await notes.findAndModify({ text: 'a' }, [['n', 1]], { $inc: { n: 1 } }, { new: true })
  t.match(found, { value: { n: 6 } })
  t.match(await notes.findOneAndUpdate({ text: 'a' }, { $inc: { n: 1 } }, { returnOriginal: false }), {
    value: { n: 7 }
  })
  t.match(await notes.save({ ...found.value, text: 'saved' }), { matchedCount: 1 })
  t.match(await notes.remove({ text: 'b' }), { result: { n: 1 }, deletedCount: 1 })
  t.equal(await called((done) => connector.execute('Note', 'countDocuments', {}, done)), 4)
  await t.rejects(
    called((done) => connector.execute('Note', 'nope', done)),
    { message: /nope/ }
  )
  t.equal(await notes.ensureIndex({ n: 1 }), 'n_1')
})

void t.test('ids are made of texts', async (t) => {
  const { connector, members } = await open(t)
  const hex = '5f0000000000000000000001'
  t.strictSame(connector.ObjectID(hex), new ObjectId(hex))
  t.equal(connector.ObjectID('line-by-line'), 'line-by-line')
  t.strictSame(members.ObjectID(hex), new ObjectId(hex))
  t.ok(new members.ObjectID() instanceof members.ObjectID)
  t.equal(connector.getDefaultIdType()(5), 5)
  t.same(connector.getTypes(), ['db', 'nosql', 'mongodb'])
  await called((done) => connector.ping(done))
})

void t.test('values of the driver that an application has of its own are stored and found', async (t) => {
  const { connector } = await open(t)
  const require = createRequire(createRequire(import.meta.url).resolve('loopback-connector-mongodb'))
  const older: Script = require('mongodb')
  const notes = connector.collection('Note')
  const id = older.ObjectID()
  const values = {
    _id: id,
    parts: [{ of: older.ObjectID(String(id)) }],
    exact: older.Decimal128.fromString('12.50'),
    long: older.Long.fromString('9007199254740993'),
    int: new older.Int32(4),
    double: new older.Double(1.5),
    bytes: new older.Binary(Buffer.from('abc'))
  }
  t.not(id instanceof ObjectId, true, 'it is another driver')
  await called((done) => notes.insertOne(values, done))
  const stored = await notes.findOne({ _id: id }, { promoteLongs: false })
  t.match(stored, { _id: new ObjectId(String(id)), parts: [{ of: new ObjectId(String(id)) }], int: 4, double: 1.5 })
  t.same([String(stored.exact), String(stored.long), String(stored.bytes)], ['12.50', '9007199254740993', 'abc'])
  t.equal(await notes.countDocuments({ 'parts.of': { $in: [id] } }), 1)
  t.match(await called((done) => notes.update({ _id: id }, { $set: { text: 'd' } }, done)), { result: { n: 1 } })
  t.match(await notes.aggregate([{ $match: { _id: id } }]).toArray(), [{ text: 'd' }])
  const bulk = notes.initializeUnorderedBulkOp()
  bulk.find({ _id: id }).updateOne({ $set: { n: 7 } })
  t.equal((await called((done) => bulk.execute(done))).modifiedCount, 1)
})
