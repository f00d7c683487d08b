import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { listOptionSchemas } from '../docs/list-option-schemas.mjs'
import { root } from '../docs/markdown-files.mjs'
import { defaultsIn, findRestatedDefaults } from '../facts/find-restated-defaults.mjs'

/** Names that options share with something else. */
const exempt = {
  'packages/acl/src/roles/role-table.ts userModel': 'the type of a principal, whose kind has no name of its own',
  'packages/acl/src/rules/decide.ts userModel': 'the same',
  'packages/rest/src/output/negotiate-type.ts xml': 'XML answers; the option of that name is for bodies',
  'packages/connector-sql/src/table/sql-table.ts schema': 'an absent schema has no name to check',
  'packages/redis/src/key-value/kv-redis.ts prefix':
    'keys of models have none; the setting with a default is that of the shared state'
}

const schemas = await listOptionSchemas()
const defaults = new Map()
for (const { folder, schema } of schemas) defaults.set(folder, defaultsIn(schema, defaults.get(folder)))
// Its settings are parts of those of its connectors.
const dialects = ['mysql', 'postgresql', 'sqlite'].flatMap((name) => [...defaults.get(`connector-${name}`)])
defaults.set('connector-sql', new Map(dialects))

const findings = [...defaults].flatMap(([folder, ofPackage]) =>
  sourcesOf(folder).flatMap((path) =>
    findRestatedDefaults(readFileSync(join(root, path), 'utf8'), ofPackage).map((found) => ({ ...found, path }))
  )
)
const keyOf = ({ path, option }) => `${path} ${option}`

function sourcesOf(folder) {
  const src = join('packages', folder, 'src')
  if (!existsSync(join(root, src))) return []
  const names = readdirSync(join(root, src), { recursive: true }).filter((name) => name.endsWith('.ts'))
  return names.map((name) => join(src, name))
}

t.test('no source says again what an absent option stands for: fillDefaults takes it from the schema', async (t) => {
  t.ok(schemas.length > 10)
  const restated = findings.filter((found) => !(keyOf(found) in exempt))
  t.same(
    restated.map(({ path, line, text }) => `${path}:${line} ${text}`),
    []
  )
})

t.test('every exemption is needed', async (t) => {
  const needed = new Set(findings.map(keyOf))
  t.same(
    Object.keys(exempt).filter((key) => !needed.has(key)),
    []
  )
})

const options = new Map([
  ['kept', [1000]],
  ['log', [true]],
  ['strict', [false]],
  ['names', [[]]]
])
const wrong = [
  'const { kept = 1000 } = options',
  'function keep({ kept: many = 5, kept = 5 }: Options) {}',
  'const kept = options.kept ?? 1000',
  "const many = options['kept'] || 2 ** 10",
  'use(kept ?? 1000)',
  'if (options.log !== false) write()',
  'if (options.strict !== true) return',
  'const { names = [] } = options'
]
for (const code of wrong)
  t.test(`is found: ${code}`, async (t) => {
    t.match(findRestatedDefaults(`const a = 1\n${code}\n`, options), [{ line: 2 }])
  })

const right = [
  'const { kept } = fillDefaults(Schema, options)',
  'const { other = 5 } = options',
  'const kept = 1000',
  'keep(options.kept ?? least)',
  'if (options.log === true) write()',
  'if (options.log !== true) return',
  '// kept ?? 1000'
]
for (const code of right)
  t.test(`is fine: ${code}`, async (t) => {
    t.same(findRestatedDefaults(code, options), [])
  })
