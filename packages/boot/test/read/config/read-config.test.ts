import t from 'tap'
import { readConfig } from '#src/read/config/read-config.ts'
import { type Files, makeAppFolder } from '../../make-app.ts'

const cases: [string, Files, object][] = [
  ['the local file wins over the main one', { json: { a: 1, b: 1 }, 'local.json': { a: 2 } }, { a: 2, b: 1 }],
  [
    "the environment's file wins over the local one",
    { json: { a: 1 }, 'local.json': { a: 2, b: 2 }, 'test.json': { a: 3 } },
    { a: 3, b: 2 }
  ],
  ["other environments' files are not read", { json: { a: 1 }, 'production.json': { a: 2 } }, { a: 1 }],
  ['JSON is preferred as main file', { json: { a: 1 }, js: 'module.exports = { a: 2 }' }, { a: 1 }],
  ['a script can be the main file', { json: undefined, js: 'module.exports = { a: 2 }' }, { a: 2 }],
  [
    'a script is preferred as variant',
    { json: {}, 'test.json': { a: 1 }, 'test.js': 'module.exports = { a: 2 }' },
    { a: 2 }
  ],
  ['a variant can be a module', { json: {}, 'test.mjs': 'export default { a: 2 }' }, { a: 2 }],
  ['a missing main file leaves the variants', { json: undefined, 'local.json': { a: 2 } }, { a: 2 }],
  ['a byte order mark is skipped', { json: '\uFEFF{"a":1}' }, { a: 1 }]
]

function named(files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([ending, content]) => [`server/config.${ending}`, content]))
}

for (const [name, files, value] of cases) {
  void t.test(name, async (t) => {
    const folder = await makeAppFolder(t, named(files), 'test')
    t.strictSame(readConfig(folder, 'config').value, value)
  })
}

void t.test('knows the file that a key comes from', async (t) => {
  const folder = await makeAppFolder(t, named({ json: { a: 1, b: 1 }, 'local.json': { b: 2 } }), 'test')
  const config = readConfig(folder, 'config')
  t.equal(config.fileOf('a'), 'server/config.json')
  t.equal(config.fileOf('b'), 'server/config.local.json')
  t.equal(config.fileOf('c'), 'server/config.json')
  t.strictSame(config.files, ['server/config.json', 'server/config.local.json'])
})

void t.test('says where JSON is broken', async (t) => {
  const folder = await makeAppFolder(t, named({ json: '{\n  "a": 1,\n  "b": }\n' }), 'test')
  t.throws(() => readConfig(folder, 'config'), {
    code: 'CONFIG_FILE_INVALID',
    where: { file: 'server/config.json' },
    line: 3,
    column: 8
  })
})

void t.test('refuses a file that holds no object', async (t) => {
  for (const content of ['[]', '1', 'null']) {
    const folder = await makeAppFolder(t, named({ json: content }), 'test')
    t.throws(() => readConfig(folder, 'config'), {
      code: 'CONFIG_FILE_INVALID',
      where: { file: 'server/config.json' }
    })
  }
})

void t.test('refuses a script that cannot be loaded', async (t) => {
  const folder = await makeAppFolder(t, named({ json: {}, 'test.js': 'throw new Error("no")' }), 'test')
  t.throws(() => readConfig(folder, 'config'), { code: 'SCRIPT_FAILED', where: { file: 'server/config.test.js' } })
})
