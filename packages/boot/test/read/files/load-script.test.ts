import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadScript } from '#src/read/files/load-script.ts'
import { makeAppFolder } from '../../make-app.ts'

async function load(t: Test, name: string, source: string, more: Record<string, unknown> = {}): Promise<unknown> {
  const folder = await makeAppFolder(t, { [name]: source, ...more })
  return loadScript(folder, join(folder.root, name))
}

const forms: [string, string, string][] = [
  ['module.exports', 'a.js', 'module.exports = 1'],
  ['the default of a transpiled module', 'a.js', 'exports.__esModule = true; exports.default = 1'],
  ['the default of a module', 'a.mjs', 'export default 1']
]

for (const [name, file, source] of forms) {
  void t.test(`gives ${name}`, async (t) => {
    t.equal(await load(t, file, source), 1)
  })
}

void t.test('a property called default alone makes no module', async (t) => {
  t.strictSame(await load(t, 'a.js', 'module.exports = { default: 1 }'), { default: 1 })
})

void t.test('what a script requires is found from its own place', async (t) => {
  const more = { 'common/lib/b.js': 'module.exports = 2', 'node_modules/c/index.js': 'module.exports = 3' }
  t.strictSame(
    await load(t, 'common/models/a.js', 'module.exports = [require("../lib/b"), require("c")]', more),
    [2, 3]
  )
})

void t.test('says which script cannot be loaded, and keeps the cause', async (t) => {
  for (const source of ['throw new RangeError("no")', 'module.exports = (', 'require("not-there")']) {
    await t.rejects(load(t, 'a.js', source), { code: 'SCRIPT_FAILED', where: { file: 'a.js' }, cause: Error })
  }
})

void t.test('says what to do when the application counts as one of modules', async (t) => {
  const more = { 'package.json': { type: 'module' } }
  const sources = ['module.exports = 1', 'const a = require("node:fs")', 'exports.a = 1']
  for (const source of sources) {
    const expected = { code: 'SCRIPT_FAILED', where: { file: 'a.js' }, message: /"type": "commonjs"/ }
    await t.rejects(load(t, 'a.js', source, more), expected)
  }
  t.equal(await load(t, 'a.js', 'export default 1', more), 1)
  t.equal(
    await load(t, 'common/a.js', 'module.exports = 1', { ...more, 'common/package.json': { type: 'commonjs' } }),
    1
  )
  await t.rejects(load(t, 'a.js', 'export default unknown', more), {
    message: /unknown is not defined$|unknown is not defined \(/
  })
})
