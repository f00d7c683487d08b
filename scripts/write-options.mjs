// Writes docs/options.md and docs/column-types.md from the built packages, and the tables of rules and errors in other pages: pnpm docs:options
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listOptionSchemas } from './docs/list-option-schemas.mjs'
import { withErrors } from './docs/error-tables.mjs'
import { root } from './docs/markdown-files.mjs'
import { columnTypesDocument } from './docs/column-types.mjs'
import { optionsDocument } from './docs/options-document.mjs'
import { pagesOfRules, withRules } from './docs/rule-tables.mjs'

writeFileSync(join(root, 'docs/options.md'), optionsDocument(await listOptionSchemas()))
writeFileSync(join(root, 'docs/column-types.md'), columnTypesDocument())
for (const page of pagesOfRules) rewrite(page, withRules)
rewrite('docs/errors.md', withErrors)

function rewrite(page, withTables) {
  const path = join(root, page)
  writeFileSync(path, withTables(readFileSync(path, 'utf8')))
}
