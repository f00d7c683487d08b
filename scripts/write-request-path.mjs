// Writes docs/request-path.md from the trace of two requests to the built packages: pnpm docs:request-path
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './docs/markdown-files.mjs'
import { requestPathDocument, traceLists } from './docs/request-path-document.mjs'

writeFileSync(join(root, 'docs/request-path.md'), requestPathDocument(await traceLists()))
