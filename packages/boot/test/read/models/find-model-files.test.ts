import t, { type Test } from 'tap'
import { collectNotes, type Note } from '#src/boot-report.ts'
import { findModelFiles, type ModelFile } from '#src/read/models/find-model-files.ts'
import { type Files, makeAppFolder } from '../../make-app.ts'

interface Found {
  models: ReadonlyMap<string, ModelFile>
  notes: readonly Note[]
}

async function find(t: Test, files: Files, sources: string[]): Promise<Found> {
  const folder = await makeAppFolder(t, files)
  const { notes, add } = collectNotes()
  return { models: findModelFiles(folder, sources, 'server/model-config.json', add), notes }
}

void t.test('finds models by the name in the file, with the script beside it', async (t) => {
  const files = {
    'common/models/a-file.json': { name: 'Book' },
    'common/models/a-file.js': '',
    'common/models/b.json': { name: 'Cat' }
  }
  const { models } = await find(t, files, ['loopback/common/models', '../common/models', './models'])
  t.strictSame([...models.keys()], ['Book', 'Cat'])
  t.match(models.get('Book'), { file: 'common/models/a-file.json', script: /a-file\.js$/ })
  t.equal(models.get('Cat')?.script, undefined)
})

void t.test('finds models in an installed package', async (t) => {
  const files = { 'node_modules/shared/models/a.json': { name: 'Shared' } }
  const { models } = await find(t, files, ['shared/models'])
  t.ok(models.has('Shared'))
})

void t.test('of two files for one model the later counts, which is told', async (t) => {
  const files = { 'common/models/a.json': { name: 'Book', from: 1 }, 'server/models/a.json': { name: 'Book', from: 2 } }
  const { models, notes } = await find(t, files, ['../common/models', './models'])
  t.equal(models.get('Book')?.definition['from'], 2)
  t.match(notes, [{ file: 'common/models/a.json', reason: /server\/models\/a\.json/ }])
})

void t.test('tells of folders that do not exist', async (t) => {
  const { notes } = await find(t, {}, ['../common/models', '../nowhere'])
  t.match(notes, [
    { file: 'server/model-config.json', key: '_meta.sources', reason: /\.\.\/common/ },
    { file: 'server/model-config.json', key: '_meta.sources', reason: /\.\.\/nowhere/ }
  ])
})

const refused: [string, string, object][] = [
  ['a file that is no JSON', '{', { line: 1, column: 2 }],
  ['a file that holds no object', '5', {}]
]

for (const [name, content, more] of refused) {
  void t.test(`refuses ${name}`, async (t) => {
    const found = find(t, { 'common/models/a.json': content }, ['../common/models'])
    await t.rejects(found, { code: 'CONFIG_FILE_INVALID', where: { file: 'common/models/a.json' }, ...more })
  })
}
