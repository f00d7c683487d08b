import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { applicationFilesIn } from '#src/processes/application-files.ts'
import { makeFolder, noteApp } from '../make-folder.ts'

/** Writes a file into a folder with an application, and says whether that changes the application. */
function isChange(t: Test, name: string, text: string, beside: readonly string[] = []): boolean {
  const dir = makeFolder(t, noteApp)
  const path = join(dir, name)
  mkdirSync(join(path, '..'), { recursive: true })
  for (const each of ['', ...beside]) writeFileSync(path + each, text)
  return applicationFilesIn(dir).isFile(path)
}

t.test('code and definitions change an application', async (t) => {
  for (const name of ['server/server.js', 'a.ts', 'b.mjs', 'c.cts']) t.equal(isChange(t, name, ''), true, name)
  for (const text of ['{}', '{\n}\n', '{"name":"Note"}\n', '[\n{},\n{}\n]', '{"name":', ''])
    t.equal(isChange(t, 'common/models/note.json', text), true, text)
})

t.test('what it writes while it runs does not', async (t) => {
  for (const name of ['server/app.log', 'upload.png', '.cache/a.js', 'node_modules/a/index.js'])
    t.equal(isChange(t, name, 'x'), false, name)
  t.equal(isChange(t, 'logs/app.json', '{"level":30}\n{"level":30}\n'), false, 'a log of JSON lines')
  for (const beside of ['.journal', '.lock'])
    t.equal(isChange(t, 'server/data.json', '{}', [beside]), false, `a data file with its ${beside}`)
})

t.test('a definition that is removed changes it', async (t) => {
  const dir = makeFolder(t, noteApp)
  const path = join(dir, 'common/models/note.json')
  rmSync(path)
  t.equal(applicationFilesIn(dir).isFile(path), true)
})

t.test('nor does a data file that is written when the process ends, without its journal', async (t) => {
  const dir = makeFolder(t, noteApp)
  const path = join(dir, 'server/data.json')
  const files = applicationFilesIn(dir)
  t.equal(files.isFile(`${path}.journal`), false)
  writeFileSync(path, '{}')
  t.equal(files.isFile(path), false)
})
