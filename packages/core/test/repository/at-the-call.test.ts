import t from 'tap'
import { buildModels } from '../build-models.ts'

const makeNotes = async () => {
  const notes = buildModels([{ name: 'Note', properties: { age: 'number', text: 'string' } }]).get('Note')
  await notes.create([
    { age: 1, text: 'a' },
    { age: 2, text: 'b' },
    { age: 3, text: 'c' }
  ])
  return notes
}

t.test('code may change its filter once it has called', async (t) => {
  const notes = await makeNotes()
  const filter = { where: { age: 0 } }
  const call = async <Result>(read: (filter: { where: { age: number } }) => Promise<Result>): Promise<Result[]> =>
    Promise.all(
      [1, 2, 3].map((age) => {
        filter.where.age = age
        return read(filter)
      })
    )
  const texts = [{ text: 'a' }, { text: 'b' }, { text: 'c' }]
  t.match(await call(async (asked) => notes.findOne(asked)), texts)
  t.match((await call(async (asked) => notes.find(asked))).flat(), texts)
  t.strictSame(await call(async ({ where }) => notes.count(where)), [1, 1, 1])
  t.match((await call(async (asked) => notes.aggregate({ ...asked, max: 'age' }))).flat(), [
    { max_age: 1 },
    { max_age: 2 },
    { max_age: 3 }
  ])
})

t.test('an observer that removes itself has still narrowed a deletion', async (t) => {
  const notes = await makeNotes()
  const once = async (context: { where?: object }): Promise<void> => {
    notes.removeObserver('before delete', once)
    context.where = { and: [context.where ?? {}, { age: { lt: 3 } }] }
  }
  notes.observe('before delete', once)
  t.strictSame(await notes.destroyAll({ age: { gt: 1 } }), { count: 1 })
  t.match(await notes.find({ order: 'age' }), [{ age: 1 }, { age: 3 }])
})

t.test('what an observer that removes itself sets is converted', async (t) => {
  const notes = await makeNotes()
  const once = async ({ instance }: { instance?: object }): Promise<void> => {
    notes.removeObserver('before save', once)
    Object.assign(instance ?? {}, { age: '5' })
  }
  notes.observe('before save', once)
  const { id } = await notes.create({ text: 'd' })
  t.strictSame((await notes.findById(id))?.['age'], 5)
})
