import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { columnTypesDocument } from '../docs/column-types.mjs'
import { root } from '../docs/markdown-files.mjs'

void t.test('docs/column-types.md is what the tables of types say', async (t) => {
  t.equal(readFileSync(join(root, 'docs/column-types.md'), 'utf8'), columnTypesDocument())
})
