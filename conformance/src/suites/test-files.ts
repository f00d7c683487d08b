import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'

/** Files of tests that lie beside what tests use: their data, and packages. */
const besides = /(?:^|\/)(?:node_modules|fixtures|sandbox|support)\//

const isTest = (name: string): boolean =>
  /\.(?:test|integration)\.js$/.test(name) || (/^[^/]*\.js$/.test(name) && !name.endsWith('.conf.js'))

/**
 * The files of tests of a checkout, by their path from it: every script of `test`, or those that call themselves tests where it has
 * folders of them.
 */
export function testFiles(checkout: string, only: string): readonly string[] {
  const all = readdirSync(join(checkout, 'test'), { recursive: true, encoding: 'utf8' })
  const names = all.map((name) => name.split(sep).join('/')).filter((name) => !besides.test(name))
  return names
    .filter((name) => isTest(name) && name.includes(only))
    .toSorted()
    .map((name) => `test/${name}`)
}
