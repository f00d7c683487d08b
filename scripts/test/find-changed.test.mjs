import t from 'tap'
import { reachedBy } from '../test-runner/find-changed.mjs'

const manifest = (name, doors) =>
  JSON.stringify({
    name,
    exports: Object.fromEntries(Object.entries(doors).map(([door, source]) => [door, { '@modelwire/source': source }]))
  })

const folder = {
  packages: {
    low: {
      'package.json': manifest('@x/low', { '.': './src/index.ts', './plugin': './src/plugin.ts' }),
      src: { 'index.ts': "export { a } from './a.ts'", 'plugin.ts': '', 'a.ts': 'export const a = 1' },
      test: { 'a.test.ts': "import { a } from '#src/a.ts'", 'plugin.test.ts': "import '#src/plugin.ts'" }
    },
    high: {
      'package.json': manifest('@x/high', { '.': './src/index.ts' }),
      src: { 'index.ts': "import { a } from '@x/low'\nimport type { B } from '@x/low/plugin'" },
      test: { 'high.test.ts': "const late = await import('#src/index.ts')" }
    },
    other: { 'package.json': manifest('@x/other', {}), test: { 'other.test.ts': '' } }
  }
}

const tests = [
  'packages/low/test/a.test.ts',
  'packages/low/test/plugin.test.ts',
  'packages/high/test/high.test.ts',
  'packages/other/test/other.test.ts',
  'scripts/test/links.test.mjs'
]

t.test('a change reaches the tests that import it, by other files and packages, too', async (t) => {
  const root = t.testdir(folder)
  const reached = (...changed) => tests.filter(reachedBy(root, changed))
  t.same(reached(), [])
  t.same(reached('packages/low/src/a.ts'), [tests[0], tests[2]])
  t.same(reached('packages/low/src/plugin.ts'), [tests[1], tests[2]])
  t.same(reached('packages/high/src/index.ts'), [tests[2]])
  t.same(reached('packages/other/test/other.test.ts'), [tests[3]])
})

t.test(
  'what is no source reaches its project, pages the tests of scripts, and what all are built with everything',
  async (t) => {
    const root = t.testdir(folder)
    const reached = (...changed) => tests.filter(reachedBy(root, changed))
    t.same(reached('packages/low/README.md'), [tests[0], tests[1]])
    t.same(reached('docs/build.md'), [tests[4]])
    t.same(reached('pnpm-lock.yaml'), tests)
  }
)
