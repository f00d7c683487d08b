import t from 'tap'
import { serverCall } from '#src/access/call.ts'
import type { ModelDefinition, ModelRegistry } from '#src/index.ts'
import { findForResponse, findByIdForResponse } from '#src/repository/read/find.ts'
import { Records } from '#src/repository/records/records.ts'
import { buildModels } from '../build-models.ts'

/** A model whose first record is older than its defaults. */
async function withOldRecord(extra: Partial<ModelDefinition> = {}): Promise<ModelRegistry> {
  const registry = buildModels([
    { name: 'Note', properties: { text: 'string', tags: 'array', since: 'date', n: 'number' }, ...extra }
  ])
  await registry.get('Note').create({ text: 'old' })
  registry.defineProperty('Note', 'tags', { type: 'array', default: ['new'] })
  registry.defineProperty('Note', 'since', { type: 'date', default: '2020-01-01' })
  registry.defineProperty('Note', 'state', { type: 'string', default: 'open' })
  return registry
}

const shown = (found: unknown): unknown => (found instanceof Records ? found.rows.map((row) => row['state']) : found)

t.test('a record that is older than a default is read with it', async (t) => {
  const registry = await withOldRecord()
  const Note = registry.get('Note')
  const expected = { text: 'old', tags: ['new'], since: new Date('2020-01-01'), state: 'open' }
  t.match(await Note.findById(1), expected)
  t.match(await Note.find({ where: { text: 'old' } }), [expected])
  const only = await Note.findOne({ fields: { text: true } })
  t.strictSame(only?.toJSON(), { text: 'old' })
  const model = registry.typeOf('Note')
  t.strictSame(shown(await findByIdForResponse(model, 1, undefined, serverCall())), ['open'])
  t.strictSame(shown(await findForResponse(model, {}, serverCall())), ['open'])
  t.equal(await Note.count({ state: 'open' }), 0, 'conditions see what is stored')
})

t.test('two reads do not share a default', async (t) => {
  const Note = (await withOldRecord()).get('Note') as unknown as {
    findById: (id: number) => Promise<{ tags: string[] }>
  }
  const first = await Note.findById(1)
  first.tags.push('mine')
  t.strictSame([...(await Note.findById(1)).tags], ['new'])
})

t.test('applyDefaultsOnReads: false leaves older records as they are', async (t) => {
  const registry = await withOldRecord({ applyDefaultsOnReads: false })
  t.strictSame(shown(await findByIdForResponse(registry.typeOf('Note'), 1, undefined, serverCall())), [undefined])
  t.strictSame(shown(await findForResponse(registry.typeOf('Note'), {}, serverCall())), [undefined])
})
