import type { ModelDefinition } from '@modelwire/core'
import t from 'tap'
import { makeApp } from '../make-app.ts'

/** As LoopBack 3.28 takes them; its answers are the expected values here. */
const models: readonly ModelDefinition[] = [
  {
    name: 'Author',
    properties: { name: 'string' },
    relations: { passport: { type: 'hasOne', model: 'Passport', foreignKey: 'authorId' } }
  },
  { name: 'Passport', properties: { number: 'string' } },
  {
    name: 'Link',
    properties: { notes: 'string', name: 'string' },
    relations: {
      author: {
        type: 'belongsTo',
        model: 'Author',
        properties: { name: 'name' },
        options: { invertProperties: true }
      },
      editor: { type: 'belongsTo', model: 'Author', properties: { notes: 'name' } }
    }
  }
]

type Row = Record<string, unknown>
type Set = (value: unknown) => unknown
type Create = { create(data: object): Promise<unknown> }

void t.test('a record that is set as owner gives the properties that the relation copies from it', async (t) => {
  const { model } = await makeApp(t, models)
  const ann = (await model('Author').create({ name: 'Ann' })) as Row
  const link = (await model('Link').create({ notes: 'n' })) as Row
  ;(link['author'] as Set)(ann)
  t.match(link, { notes: 'n', name: 'Ann', authorId: 1 })
  t.notOk((await model('Link').findById(1))?.['name'])
})

void t.test('a record that is set as owner gets the properties that the relation copies to it', async (t) => {
  const { model } = await makeApp(t, models)
  const ann = (await model('Author').create({ name: 'Ann' })) as Row
  const link = (await model('Link').create({ notes: 'n' })) as Row
  ;(link['editor'] as Set)(ann)
  t.equal(link['editorId'], 1)
  t.equal(ann['name'], 'n')
  t.match(await model('Author').findById(1), { name: 'Ann' })
})

void t.test('what an owner gives when it is created is stored', async (t) => {
  const { model } = await makeApp(t, models)
  const link = (await model('Link').create({ notes: 'n' })) as Row
  t.match(await (link['author'] as unknown as Create).create({ name: 'Bob' }), { name: 'Bob', id: 1 })
  t.match(await model('Link').findById(1), { notes: 'n', name: 'Bob', authorId: 1 })
})

void t.test('a record that is set as the only related one gets the key, and the other keeps its id', async (t) => {
  const { model } = await makeApp(t, models)
  const ann = (await model('Author').create({ name: 'Ann' })) as Row
  const passport = (await model('Passport').create({ number: '1' })) as Row
  ;(ann['passport'] as Set)(passport)
  t.match(ann, { name: 'Ann', id: 1 })
  t.match(passport, { number: '1', authorId: 1 })
  t.notOk((await model('Passport').findById(1))?.['authorId'])
})
