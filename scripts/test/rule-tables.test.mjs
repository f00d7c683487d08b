import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../docs/markdown-files.mjs'
import { allRules, pagesOfRules, withRules } from '../docs/rule-tables.mjs'

/** The TypeScript of all packages but the tables themselves. */
const sources = () =>
  readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name, 'src'))
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.ts') && !/(?:core\/src\/|compat\/loopback-)rules\.ts$/.test(file))

t.test('the documentation shows every rule; pnpm docs:options makes its tables anew', async (t) => {
  const pages = pagesOfRules.map((page) => readFileSync(join(root, page), 'utf8'))
  for (const page of pages) t.equal(page, withRules(page))
  const names = Object.values(allRules).flatMap(Object.keys)
  const isMissing = (name) => !pages.some((page) => page.includes(`| \`${name}\` `))
  t.same(names.filter(isMissing), [])
})

t.test('every rule is asked somewhere', async (t) => {
  const asked = new Set(sources().flatMap((file) => readFileSync(file, 'utf8').match(/\b\w+/g)))
  const names = Object.values(allRules).flatMap(Object.keys)
  t.same(
    names.filter((name) => !asked.has(name)),
    []
  )
})
