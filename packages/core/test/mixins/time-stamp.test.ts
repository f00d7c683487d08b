import t from 'tap'
import { onlyId } from '#src/repository/records/identify.ts'
import { buildModels } from '../build-models.ts'

const makeNote = (options: unknown = true) => {
  const models = buildModels([{ name: 'Note', properties: { text: 'string' }, mixins: { TimeStamp: options } }])
  return models.get('Note')
}

const long = new Date('2000-01-01')
t.test('a new record has both times, whatever was sent', async (t) => {
  const Note = makeNote()
  const before = Date.now()
  const note = await Note.create({ createdAt: long, updatedAt: long })
  for (const name of ['createdAt', 'updatedAt']) t.ok((note[name] as Date).getTime() >= before, name)
})

t.test('a change keeps the time of creation', async (t) => {
  const Note = makeNote()
  const note = await Note.create({ text: 'a' })
  const createdAt = note['createdAt']
  const changes = [
    () => note.patchAttributes({ text: 'b', createdAt: long }),
    () => note.save(),
    () => Note.replaceById(1, { text: 'c', createdAt: long }),
    () => Note.replaceOrCreate({ id: 1, text: 'd' }),
    () => Note.patchOrCreate({ id: 1, text: 'e', createdAt: long }),
    () => Note.updateAll({ id: 1 }, { text: 'f', createdAt: long })
  ]
  for (const change of changes) {
    await change()
    t.match(await Note.findById(1), { createdAt, updatedAt: Date }, String(change))
    t.match(note, { createdAt })
  }
})

t.test('a record that an upsert creates has its time of creation', async (t) => {
  const definition = { name: 'Note', forceId: false, mixins: { TimeStamp: true } }
  const Note = buildModels([definition]).get('Note')
  await Note.patchOrCreate({ id: 5, createdAt: long })
  const note = await Note.findById(5)
  t.ok(Number(note?.['createdAt']) > Number(long))
})

t.test('a replacement that creates a record sets both times', async (t) => {
  const definition = { name: 'Note', forceId: false, mixins: { TimeStamp: true } }
  const Note = buildModels([definition]).get('Note')
  const note = await Note.replaceOrCreate({ id: 9, createdAt: long })
  t.equal(note['createdAt'], note['updatedAt'])
  t.ok(Number((await Note.findById(9))?.['createdAt']) > Number(long))
})

t.test('records that are older than the mixin can be changed', async (t) => {
  const Note = makeNote()
  const changes = [
    async () => Note.replaceById(1, { text: 'a' }),
    async () => (await Note.findById(1))?.save(),
    async () => (await Note.findById(1))?.patchAttributes({ text: 'b', createdAt: long })
  ]
  await Note.create({ text: 'old' })
  for (const change of changes) {
    await Note.modelType.collection?.update(onlyId(Note.modelType, 1), { createdAt: null })
    await change()
    t.not((await Note.findById(1))?.['createdAt'], long, String(change))
  }
})

t.test('the properties may have other names', async (t) => {
  const note = await makeNote({ createdAt: 'made', updatedAt: '' }).create({})
  t.match(note, { made: Date, updatedAt: Date, createdAt: undefined })
})
