import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { listErrorClasses, listErrors, withErrors } from '../docs/error-tables.mjs'
import { root } from '../docs/markdown-files.mjs'

const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
const rows = [...listErrors().values()].flat()

/** Where a class gets its code. */
const codeOfClass = /(?:^export class .*\.with\(\{\s*code: |readonly code(?:: string)? = )'([A-Z_\d]+)'/gm

t.test('docs/errors.md is what the classes of errors say; pnpm docs:options makes its tables anew', async (t) => {
  t.equal(page, withErrors(page))
  const shown = new Set(Array.from(page.matchAll(/^\| `([A-Z_\d]+)` /gm), ([, code]) => code))
  t.ok(rows.length > 250)
  t.same(
    rows.filter(({ code }) => !shown.has(code)),
    [],
    'codes without a place on the page'
  )
  t.equal(shown.size, rows.length, 'no other code')
})

t.test('every error says what it means, and with which status it is answered', async (t) => {
  t.same(
    rows.filter(({ status, meaning }) => meaning === '' || !/^(?:start|[45]\d\d(?:, [45]\d\d)?)$/.test(status ?? '')),
    []
  )
})

/** Folders of tests, of suites that they run, and of recordings that they replay. */
const testFolders = ['packages', 'examples', '.']
  .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
  .flatMap((folder) => [join(folder, 'test'), join(folder, folder.endsWith('-tests') ? 'src' : 'recordings')])
  .filter(existsSync)

/** Of an error of OAuth clients see `error`: that of several classes says nothing about one of them. */
function listShown() {
  const source = readFileSync(join(root, 'packages/oauth2/src/errors.ts'), 'utf8')
  const shown = source.matchAll(/oauthError\(\s*'([A-Z_]+)',\s*\d+,\s*'([a-z_]+)'/g)
  return new Map(
    Array.from(shown, ([, code, error]) => [code, error]).filter(([, error]) => source.split(`'${error}'`).length === 2)
  )
}

t.test('every error has a test that names its code, or what clients see in its place', async (t) => {
  const texts = testFolders.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((file) => /\.(?:[cm]?[jt]sx?|json)$/.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
  )
  const named = new Set(texts.flatMap((text) => text.match(/\b[A-Z][A-Z\d_]+\b|\b[a-z]+_[a-z_]+\b/g) ?? []))
  const shown = listShown()
  const untested = rows.filter(({ code, meaning }) => {
    return !named.has(code) && !named.has(shown.get(code)) && !meaning.includes('never thrown itself')
  })
  t.same(untested, [])
})

t.test('no code has two meanings', async (t) => {
  t.equal(new Set(rows.map(({ code }) => code)).size, rows.length)
})

t.test('no code of a source is overlooked', async (t) => {
  const files = readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name, 'src'))
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, file)))
  const given = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => Array.from(readFileSync(file, 'utf8').matchAll(codeOfClass), ([, name]) => name))
  t.same(
    given.filter((name) => !rows.some((row) => row.code === name)),
    []
  )
})

t.test('a class has a code, statuses and a meaning, each as it is written', async (t) => {
  const source = `
/**
 * A room is
 * taken | left. @see RFC 1
 */
export class RoomTaken extends ApiError.with({
  code: 'ROOM_TAKEN',
  statusCode: 409
}) {}
/** A key is wrong. */
export class KeyWrong extends keyError('KEY_WRONG', 401, 'wrong') {}

abstract class PartDenied extends ApiError {
  override readonly statusCode: 401 | 403 = 401
}
/** Old. */
class Old extends PartDenied {
  override readonly code: string = 'OLD'
}
`
  t.same(listErrorClasses(source), [
    { name: 'RoomTaken', base: 'ApiError', code: 'ROOM_TAKEN', status: '409', meaning: 'A room is taken | left.' },
    { name: 'KeyWrong', base: 'keyError', code: 'KEY_WRONG', status: '401', meaning: 'A key is wrong.' },
    { name: 'PartDenied', base: 'ApiError', code: undefined, status: '401, 403', meaning: '' },
    { name: 'Old', base: 'PartDenied', code: 'OLD', status: undefined, meaning: 'Old.' }
  ])
})
