import { join } from 'node:path'
import t from 'tap'
import { findTestFiles } from '../test-runner/find-test-files.mjs'

t.test('lists the sources of every project, sorted, with the compiled file of each', async (t) => {
  const root = t.testdir({
    packages: {
      core: {
        test: { filter: { 'b.test.ts': 'fc.assert(x, { numRuns: runs(500) })' }, 'a.own.test.ts': '', 'x.json': '{}' }
      }
    },
    bench: { test: { 'soak.long.test.ts': '' } },
    examples: { shop: { test: { 'shop.test.ts': '' } } },
    conformance: { test: { 'replay.test.ts': '' } },
    scripts: { test: { 'plain.test.mjs': '' } }
  })
  t.same(findTestFiles(root), [
    testFile(root, 'bench/test/soak.long.test.ts', 'bench/dist-test/soak.long.test.js', { own: true, long: true }),
    testFile(root, 'conformance/test/replay.test.ts', 'conformance/dist-test/replay.test.js'),
    testFile(root, 'examples/shop/test/shop.test.ts', 'examples/shop/dist-test/shop.test.js'),
    testFile(root, 'packages/core/test/a.own.test.ts', 'packages/core/dist-test/a.own.test.js', { own: true }),
    testFile(root, 'packages/core/test/filter/b.test.ts', 'packages/core/dist-test/filter/b.test.js', { cut: true }),
    testFile(root, 'scripts/test/plain.test.mjs', 'scripts/test/plain.test.mjs')
  ])
})

t.test('finds what is built to run on the packages as npm gets them', async (t) => {
  const root = t.testdir({ conformance: { test: { 'replay.test.ts': '' } } })
  t.same(findTestFiles(root, { packed: true }), [
    testFile(root, 'conformance/test/replay.test.ts', '.packed/conformance/dist-test/replay.test.js')
  ])
})

t.test('leaves out fixtures and the compiled leftovers of deleted tests', async (t) => {
  const root = t.testdir({
    packages: { core: { test: { fixtures: { 'x.test.ts': '' } }, 'dist-test': { 'deleted.test.js': '' } } }
  })
  t.same(findTestFiles(root), [])
})

function testFile(root, source, compiled, kind = {}) {
  return { source, compiled: join(root, compiled), own: false, long: false, cut: false, ...kind }
}
