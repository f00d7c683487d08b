// Prints which part of the lines of each package ran in tests that were started with NODE_V8_COVERAGE=<folder>.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: node scripts/print-coverage.mjs <folder of NODE_V8_COVERAGE>')

const root = join(import.meta.dirname, '..')
const c8 = createRequire(import.meta.url).resolve('c8/bin/c8.js')
const report = mkdtempSync(join(tmpdir(), 'coverage-'))
const parts = ['--exclude-after-remap', '--include', 'packages/*/src/**']
const out = ['--reporter', 'json-summary', '--reports-dir', report, '--temp-directory', folder]
// The report is not measured itself.
const { NODE_V8_COVERAGE: _measured, ...env } = process.env
execFileSync(process.execPath, ['--max-old-space-size=4096', c8, 'report', ...out, ...parts], {
  cwd: root,
  env,
  stdio: 'inherit'
})
const { total: _total, ...files } = JSON.parse(readFileSync(join(report, 'coverage-summary.json'), 'utf8'))
rmSync(report, { recursive: true })

const packages = new Map()
for (const [file, { lines }] of Object.entries(files)) {
  const name = relative(root, file).split('/')[1]
  const { covered = 0, total = 0 } = packages.get(name) ?? {}
  packages.set(name, { covered: covered + lines.covered, total: total + lines.total })
}
const row = (name, { covered, total }) =>
  `${name.padEnd(24)} ${((100 * covered) / total).toFixed(1).padStart(6)} % of ${String(total).padStart(6)} lines`
const sum = { covered: 0, total: 0 }
for (const [name, counts] of [...packages].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(row(name, counts))
  sum.covered += counts.covered
  sum.total += counts.total
}
if (sum.total === 0) throw new Error(`nothing was measured in ${folder}`)
console.log(row('all', sum))
