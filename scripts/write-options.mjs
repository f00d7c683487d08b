// Writes docs/options.md from the schemas of the built packages: pnpm docs:options
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listOptionSchemas } from './docs/list-option-schemas.mjs'
import { root } from './docs/markdown-files.mjs'
import { optionsDocument } from './docs/options-document.mjs'

writeFileSync(join(root, 'docs/options.md'), optionsDocument(await listOptionSchemas()))
