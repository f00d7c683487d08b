import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The folders that CONTRIBUTING names for tests of a whole package. */
function foldersOfWhole() {
  const page = readFileSync(`${root}/CONTRIBUTING.md`, 'utf8')
  const [, table = ''] = /\| folder of tests.*\n\|[- |]+\n((?:\|.*\n)+)/.exec(page) ?? []
  return Array.from(table.matchAll(/^\| `([^`]+)`/gm), ([, name]) => name)
}

const folders = foldersOfWhole()

/** The test files of all packages, as paths from the root. */
const files = readdirSync(`${root}/packages`).flatMap((name) => {
  const home = `packages/${name}/test`
  if (!existsSync(`${root}/${home}`)) return []
  const inside = readdirSync(`${root}/${home}`, { recursive: true })
  return inside
    .map(String)
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `${home}/${file}`)
})

/** True for a test beside its source, in the folder of its sources, at the top, or in a folder for tests of the whole package. */
function liesRight(file) {
  const [, home, path] = /^(packages\/[^/]+)\/test\/(.*?)(?:\.own|\.long)?\.test\.ts$/.exec(file)
  const folder = dirname(path)
  if (folder === '.' || folders.includes(folder.split('/')[0])) return true
  return existsSync(`${root}/${home}/src/${path}.ts`) || existsSync(`${root}/${home}/src/${folder}`)
}

t.test('a test lies where its source lies, or where CONTRIBUTING says', async (t) => {
  t.ok(files.length > 500, `${files.length} tests are found`)
  t.ok(folders.length > 3, 'folders are found')
  t.strictSame(
    files.filter((file) => !liesRight(file)),
    []
  )
  t.equal(liesRight('packages/core/test/nowhere/odd.test.ts'), false)
})

t.test('each folder for tests of a whole package has some', async (t) => {
  const unused = folders.filter((name) => files.every((file) => !file.includes(`/test/${name}/`)))
  t.strictSame(unused, [])
})
