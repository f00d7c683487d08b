// Writes docs/options.md from the schemas of the built packages, and the tables of rules in other pages: pnpm docs:options
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listOptionSchemas } from './docs/list-option-schemas.mjs'
import { root } from './docs/markdown-files.mjs'
import { optionsDocument } from './docs/options-document.mjs'
import { pagesOfRules, withRules } from './docs/rule-tables.mjs'

writeFileSync(join(root, 'docs/options.md'), optionsDocument(await listOptionSchemas()))
for (const page of pagesOfRules) {
  const path = join(root, page)
  writeFileSync(path, withRules(readFileSync(path, 'utf8')))
}
