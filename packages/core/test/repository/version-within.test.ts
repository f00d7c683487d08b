import t from 'tap'
import { buildModels } from '../build-models.ts'

async function start() {
  const registry = buildModels([
    { name: 'Note', optimisticLocking: true, properties: { text: 'string' } },
    { name: 'Plain', properties: { text: 'string' } }
  ])
  const Note = registry.get('Note')
  const first = await Note.create({ text: 'first' })
  return { registry, Note, first, version: first['version'] }
}

const failed = { code: 'PRECONDITION_FAILED', statusCode: 412 }

void t.test('code writes a record of one version, or nothing', async (t) => {
  const { Note, first, version } = await start()
  await first.patchAttributes({ text: 'second' }, { ifVersion: version })
  t.not(first['version'], version)
  const old = { ifVersion: version }
  await t.rejects(first.patchAttributes({ text: 'x' }, old), failed)
  await t.rejects(first.replaceAttributes({ text: 'x' }, old), failed)
  await t.rejects(first.save(old), failed)
  await t.rejects(first.destroy(old), failed)
  await t.rejects(Note.replaceById(1, { text: 'x' }, old), failed)
  await t.rejects(Note.destroyById(1, old), failed)
  t.match(await Note.findById(1), { text: 'second', version: first['version'] })
  first['text'] = 'third'
  await first.save({ ifVersion: first['version'] })
  t.match(await Note.findById(1), { text: 'third', version: first['version'] })
  t.strictSame(await Note.destroyById(1, { ifVersion: first['version'] }), { count: 1 })
})

void t.test('observers of a write are not held to its version', async (t) => {
  const { Note, first, version } = await start()
  const other = await Note.create({ text: 'other' })
  const options: unknown[] = []
  Note.observe('after save', async (context) => {
    options.push(context.options)
    if (context.instance?.['id'] === 1) await Note.updateAll({ id: 2 }, { text: 'by the observer' }, context.options)
  })
  await first.patchAttributes({ text: 'second' }, { ifVersion: version, mine: 1 })
  t.strictSame(options, [{ mine: 1 }, { mine: 1 }])
  t.match(await other.reload(), { text: 'by the observer' })
})

void t.test('ifVersion is refused where it can have no effect', async (t) => {
  const { registry, Note, first, version } = await start()
  const invalid = { code: 'INVALID_ARGUMENT' }
  await t.rejects(first.patchAttributes({ text: 'x' }, { ifVersion: 1 }), invalid)
  await t.rejects(Note.updateAll({}, { text: 'x' }, { ifVersion: version }), invalid)
  await t.rejects(Note.create({ text: 'x' }, { ifVersion: version }), invalid)
  const plain = await registry.get('Plain').create({ text: 'x' })
  await t.rejects(plain.patchAttributes({ text: 'y' }, { ifVersion: 'a' }), invalid)
})

void t.test('a version property that cannot hold a version stops the start', async (t) => {
  const wrong = (properties: object) => () =>
    buildModels([{ name: 'Note', optimisticLocking: true, properties: { ...properties } }])
  t.throws(wrong({ version: 'number' }), { code: 'MODEL_DEFINITION_INVALID', where: { key: 'properties.version' } })
  t.throws(wrong({ version: { type: 'string', id: true } }), { code: 'MODEL_DEFINITION_INVALID' })
})

void t.test('an upsert has a new version, whatever the default of the property is', async (t) => {
  const ver = { type: 'string', default: 'first' } as const
  const registry = buildModels([
    { name: 'Page', forceId: false, optimisticLocking: { property: 'ver' }, properties: { text: 'string', ver } }
  ])
  const Page = registry.get('Page')
  const made = await Page.upsert({ id: 3, text: 'x' })
  t.not(made['ver'], 'first')
  t.match(await Page.findById(3), { ver: made['ver'] })
})
