import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

// The linter itself, since its own tester for rules needs a newer Node than we support.
const oxlint = fileURLToPath(new URL('../../node_modules/.bin/oxlint', import.meta.url))
const plugin = fileURLToPath(new URL('../lint/style-plugin.mjs', import.meta.url))

const cases = {
  'docstring-on-export': {
    valid: [
      '/** One. */\nexport const one = 1',
      'const one = 1\nexport { one }',
      '/** First. */\nexport function f(a: string): string\nexport function f(a: unknown): unknown { return a }',
      'export type Page = Static<typeof PageSchema>'
    ],
    invalid: ['export const one = 1', '// One.\nexport function one() {}', 'export type Id = string | number']
  },
  'reason-beside-assertion': {
    valid: [
      'const kinds = ["a"] as const',
      'const wide = one as unknown',
      'const a = one as string // the schema says so',
      '// The schema says so.\nconst a = one as string',
      'f(\n  // The schema says so.\n  one as string\n)'
    ],
    invalid: ['const a = one as string', '// Of something else.\n\nconst a = one as string']
  },
  'no-sleep': {
    valid: [
      "import { setImmediate as turn } from 'node:timers/promises'\nawait turn()",
      "import { until } from '@modelwire/test-waits'\nawait until(() => isOver, 'the end')",
      'app.setTimeoutOf(3)'
    ],
    invalid: [
      'setTimeout(resolve, 5)',
      'globalThis.setInterval(look, 5)',
      "import { setTimeout as pause } from 'node:timers/promises'",
      "import { scheduler } from 'timers/promises'",
      "import * as timers from 'node:timers'"
    ]
  },
  'plain-messages': {
    valid: [
      "throw new Error('the transport is invalid')",
      "throw new Error('there is no user model: register users')",
      "throw new Error('the token is no longer valid')",
      'throw new Error(`connection ${name} is left alone by this process`)',
      '// Nobody has to be told what is no message.\nconst one = 1'
    ],
    invalid: [
      "throw new Error('the option is no transport')",
      'throw new Error(`${name} is no HTTP verb`)',
      "throw new Error('webhooks are sent to public addresses alone')",
      "warn('changes are not heard of')",
      'throw new Error(`${name} has to be a list`)',
      "warn('the reader is told')",
      "throw new Error('Redis cannot be reached')",
      'advise(`${name} takes its place`)',
      "throw new Error('the type is something else than a string')",
      "warn('the request is carried out without a word')"
    ]
  },
  'plain-docstrings': {
    valid: [
      '/** Returns the replacement, if there is no such record. */\nexport const one = 1',
      '// What nobody is told.\nexport const one = 1',
      "/** Runs those that are another process's turn. */\nexport const one = 1",
      '/** What an inner function is told. */\nconst one = 1',
      'export interface One {\n  /** The pattern that has been compiled. */\n  readonly a: string\n}'
    ],
    invalid: [
      '/** The caller is told. */\nexport const one = 1',
      '/**\n * Reads it; the stream goes\n * on behind it.\n */\nexport function one() {}',
      '/** Checks it. @throws {Wrong} the method is another than S256 */\nexport const one = 1',
      'export interface One {\n  /** Where it has to be. */\n  readonly a: string\n}'
    ]
  },
  'no-inner-import': {
    valid: [
      "import '@modelwire/core'",
      "import '@modelwire/core/plugin'",
      "import './inner.ts'",
      "import '@fastify/cors/inner.js'"
    ],
    invalid: ["import { x } from '@modelwire/core/dist/inner.js'", "import { x } from '@modelwire/rest/plugin'"]
  },
  'connector-door': {
    valid: ["import '@modelwire/core'", "import '@modelwire/core/connector'"],
    invalid: ["import '@modelwire/core/plugin'"]
  },
  'no-export-star': {
    valid: ["export { one } from './one.ts'", "import * as one from './one.ts'\nexport { one }"],
    invalid: ["export * from './one.ts'", "export * as one from './one.ts'"]
  },
  'no-vague-file-name': {
    valid: [
      ['database.ts', 'one()'],
      ['match-where.ts', 'one()']
    ],
    invalid: [
      ['base.ts', 'one()'],
      ['helpers.ts', 'one()'],
      ['string-utils.ts', 'one()']
    ]
  }
}

for (const [rule, { valid, invalid }] of Object.entries(cases)) {
  t.test(`the lint rule ${rule} reports what it should and nothing else`, async (t) => {
    const folder = temporaryFolder(t)
    const config = { jsPlugins: [plugin], rules: { [`style/${rule}`]: 'error' } }
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config))
    writeCases(join(folder, 'valid'), valid)
    const expected = writeCases(join(folder, 'invalid'), invalid).map((name) => `invalid/${name}`)
    t.same(await reportedFiles(folder, `style(${rule})`), expected)
  })
}

// Not t.testdir: its folder is one that git, and therefore the linter, ignores.
function temporaryFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-lint-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  return folder
}

function writeCases(folder, list) {
  const named = list.map((one, index) => (typeof one === 'string' ? [`case-${index}.ts`, one] : one))
  mkdirSync(folder)
  for (const [name, code] of named) writeFileSync(join(folder, name), `${code}\n`)
  return named.map(([name]) => name)
}

function reportedFiles(folder, code) {
  return new Promise((resolve) => {
    execFile(oxlint, ['--format=json'], { cwd: folder }, (_error, stdout) => {
      const { diagnostics } = JSON.parse(stdout)
      const files = diagnostics.filter((one) => one.code === code).map((one) => one.filename)
      resolve(files.toSorted())
    })
  })
}
