import { runs } from '@modelwire/test-waits'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import * as fc from 'fast-check'
import { readSnapshot } from '#src/file/read-data-file.ts'
import { makeDataFolder } from '../fixtures/data-folder.ts'

void t.test('every file of the form is read as a JSON parser reads it', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  const records = fc.dictionary(fc.string({ unit: 'binary' }), fc.json())
  const files = fc.record({ rest: fc.jsonValue(), models: fc.dictionary(fc.string({ unit: 'binary' }), records) })
  await fc.assert(
    fc.asyncProperty(files, fc.constantFrom(undefined, 2, '\t', '\r\n '), async (written, space) => {
      const text = JSON.stringify(written, undefined, space)
      await writeFile(file, text)
      const { data } = await readSnapshot(file)
      const expected: typeof written = JSON.parse(text)
      for (const [model, of] of Object.entries(expected.models)) {
        t.strictSame(new Map(data.models.get(model)), new Map(Object.entries(of)))
      }
      t.equal(data.models.size, Object.keys(expected.models).length)
    }),
    { numRuns: runs(200) }
  )
})

void t.test('what is not JSON or not of the form is refused', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  const texts = [
    '{',
    '{}x',
    '{"models":{"A":{"1":"{}",}}}',
    '{"models":{"A":{"1":"{}" "2":"{}"}}}',
    '{"models":{"A":[]}}'
  ]
  texts.push(
    '{"models":{"A":{"1":{}}}}',
    '{"ids":[1]}',
    '{"models":{"A":{"1":"{}',
    '[]',
    '5',
    '{"x":[1}',
    '{"ids":tru}'
  )
  for (const text of texts) {
    await writeFile(file, text)
    await t.rejects(readSnapshot(file), { code: 'DATA_FILE_BROKEN' }, text)
  }
  await writeFile(file, '\uFEFF {"ids":null,"models":null,"more":[{"a":"]}"}]}\n')
  t.equal((await readSnapshot(file)).data.models.size, 0)
})
