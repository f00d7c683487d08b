import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))
const document = readFileSync(join(root, 'docs/errors.md'), 'utf8')

t.test('docs/errors.md has every code of the sources with its status, and no other', async (t) => {
  const written = readTable(document)
  const codes = readCodes(packageSources())
  t.ok(codes.size > 50)
  t.same(
    [...codes.keys()].filter((code) => !written.has(code)),
    [],
    'codes that docs/errors.md lacks'
  )
  t.same(
    [...written.keys()].filter((code) => !codes.has(code)),
    [],
    'codes that no source has'
  )
  for (const [code, status] of written) t.equal(status, String(codes.get(code)), code)
})

t.test('every row says when and what to do', async (t) => {
  for (const [code, , when, advice] of readRows(document)) t.ok(when !== '' && advice !== '', code)
})

t.test('no code has two meanings', async (t) => {
  const codes = readRows(document).map(([code]) => code)
  t.equal(new Set(codes).size, codes.length)
})

function readRows(markdown) {
  const rows = markdown.split('\n').filter((line) => /^\| `[A-Z_\d]+` /.test(line))
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', ''))
  )
}

function readTable(markdown) {
  return new Map(readRows(markdown).map(([code, status]) => [code, status]))
}

function packageSources() {
  const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name, 'src'))
  return folders.filter((folder) => existsSync(folder)).flatMap(listSources)
}

function listSources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return listSources(path)
    return entry.name.endsWith('.ts') ? [readFileSync(path, 'utf8')] : []
  })
}

/** Status by code; a class without a status of its own has that of the class it extends. */
function readCodes(sources) {
  const classes = new Map(sources.flatMap(readClasses))
  const statusOf = (name) => {
    const { status, base } = classes.get(name) ?? {}
    return status ?? (base === undefined ? undefined : statusOf(base))
  }
  return new Map(
    [...classes].filter(([, { code }]) => code !== undefined).map(([name, { code }]) => [code, statusOf(name)])
  )
}

function readClasses(source) {
  const bodies = source.split(/^(?:export )?(?:abstract )?(?:export abstract )?class /m).slice(1)
  return bodies.map((body) => {
    const [, name, base] = /^(\w+)(?: extends (\w+))?/.exec(body)
    const [own] = body.split('\n}\n', 1)
    const code = /readonly code(?:: string)? = '(\w+)'/.exec(own)?.[1]
    const status = /readonly statusCode(?:: number)? = (\d+)/.exec(own)?.[1]
    return [name, { base, code, status }]
  })
}
