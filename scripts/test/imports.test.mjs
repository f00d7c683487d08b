import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { root } from '../docs/markdown-files.mjs'
import { findKnots, wayAround } from '../imports/find-knots.mjs'
import { readImports } from '../imports/read-imports.mjs'
import { findUpward, readFiles, readLayers } from '../imports/read-layers.mjs'

/** The most files that may need each other. */
const most = 15

const listSources = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))

const sources = readdirSync(join(root, 'packages'))
  .map((name) => join(root, 'packages', name, 'src'))
  .filter(existsSync)
  .flatMap(listSources)
// Programs write imports of other programs, too, which lead to no source.
const known = new Set(sources)
const imports = new Map(
  sources.map((path) => [
    path,
    readImports(path, readFileSync(join(root, path), 'utf8')).filter(({ to }) => known.has(to))
  ])
)
const all = new Map(Array.from(imports, ([from, list]) => [from, list.map(({ to }) => to)]))
const running = new Map(
  Array.from(imports, ([from, list]) => [from, list.filter(({ runs }) => runs).map(({ to }) => to)])
)

t.test('sources and their imports are found', async (t) => {
  t.ok(sources.length > 500)
  t.ok(Array.from(all.values()).flat().length > 2 * sources.length)
})

t.test('no file loads itself by way of others', async (t) => {
  t.same(
    findKnots(running).map(([first]) => wayAround(running, first).join(' → ')),
    [],
    'move what both sides need into a file of its own'
  )
})

t.test(`no more than ${most} files need each other, for types or when they run`, async (t) => {
  const large = findKnots(all).filter(({ length }) => length > most)
  t.same(
    large.map((files) => `${files.length} files: ${files.join(', ')}`),
    [],
    'let implementations import a file of types, which imports none of them'
  )
})

const guide = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
const ordered = Array.from(guide.matchAll(/^### Folders of (\S+)$/gm), ([heading, name]) => ({ heading, name }))

t.test('the guide orders the folders of core', async (t) => {
  t.ok(ordered.some(({ name }) => name === 'core'))
})

for (const { heading, name } of ordered)
  t.test(`folders of ${name} import only lower ones`, async (t) => {
    const layers = readLayers(guide, heading)
    const start = `packages/${name}/src/`
    const own = Array.from(all).filter(([from]) => from.startsWith(start))
    t.ok(own.length > 0, 'the package has sources')
    const graph = new Map(
      own.map(([from, list]) => [from.slice(start.length), list.map((to) => to.slice(start.length))])
    )
    t.same(findUpward(graph, layers), [], 'the table in docs/architecture.md has the lowest layer first')
    const named = layers.flat().filter((place) => !existsSync(join(root, start, place)))
    t.same(named, [], 'the table names folders that are not there')
    const isThere = ({ folders, file }) =>
      ['', ...folders].some((folder) => existsSync(join(root, start, folder, `${file}.ts`)))
    const files = readFiles(guide, heading)
    t.ok(files.length > 0, 'the table names files')
    t.same(
      files.filter((place) => !isThere(place)).map(({ file }) => file),
      [],
      'the table names files that are not there'
    )
  })

t.test('imports are read in all their forms', async (t) => {
  const code = [
    "import { a } from './a.ts'",
    "import {\n  type B,\n  b\n} from '../b.ts'",
    "import type { C } from './c.ts'",
    "export * from './d.ts'",
    "export type { E } from './e.ts'",
    "import './f.ts'",
    "import g, { type G } from './g.ts'",
    "import * as h from './h.ts'",
    "const i = (value: import('./i.ts').I) => value",
    "import { other } from 'other'",
    "import type { C2 } from './a.ts'"
  ].join('\n')
  t.same(readImports('x/y/z.ts', code), [
    { to: 'x/y/a.ts', runs: true },
    { to: 'x/b.ts', runs: true },
    { to: 'x/y/c.ts', runs: false },
    { to: 'x/y/d.ts', runs: true },
    { to: 'x/y/e.ts', runs: false },
    { to: 'x/y/g.ts', runs: true },
    { to: 'x/y/h.ts', runs: true },
    { to: 'x/y/f.ts', runs: true },
    { to: 'x/y/i.ts', runs: false }
  ])
})

t.test('knots are found, and ways around them', async (t) => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'e']],
    ['c', ['a']],
    ['d', ['a', 'f']],
    ['e', []],
    ['f', ['d']],
    ['g', ['g']]
  ])
  t.same(findKnots(graph), [['a', 'b', 'c'], ['d', 'f'], ['g']])
  t.same(wayAround(graph, 'a'), ['a', 'b', 'c', 'a'])
  t.same(wayAround(graph, 'g'), ['g', 'g'])
  t.same(wayAround(graph, 'e'), [])
})

t.test('imports against the direction are found', async (t) => {
  const table =
    '### Order\n\n| folders | hold |\n| --- | --- |\n| `low`, `errors.ts` | a |\n| `high` | b |\n\n## Next\n| `no` | |\n'
  const layers = readLayers(table, '### Order')
  t.same(layers, [['low', 'errors.ts'], ['high']])
  const graph = new Map([
    ['low/a.ts', ['low/b.ts', 'high/c.ts']],
    ['low/b.ts', ['errors.ts']],
    ['high/c.ts', ['low/a.ts', 'index.ts']],
    ['index.ts', ['high/c.ts', 'plugin.ts']],
    ['new/d.ts', ['low/a.ts']]
  ])
  t.same(findUpward(graph, layers), [
    'low/a.ts imports high/c.ts, but `low` is not above `high`',
    'low/b.ts imports errors.ts, but `low` is not above `errors.ts`',
    'high/c.ts imports index.ts, but `high` is not above `index.ts`',
    'new/d.ts: the table has no row for the folder `new`'
  ])
  const nested = new Map([
    ['in/low/a.ts', ['in/high/b.ts', 'in/c.ts']],
    ['in/high/b.ts', ['in/low/a.ts']],
    ['in/c.ts', []]
  ])
  t.same(findUpward(nested, [['in/low', 'in/c.ts'], ['in/high']]), [
    'in/low/a.ts imports in/high/b.ts, but `in/low` is not above `in/high`',
    'in/low/a.ts imports in/c.ts, but `in/low` is not above `in/c.ts`'
  ])
})
