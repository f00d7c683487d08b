import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../docs/markdown-files.mjs'
import { traceLists } from '../docs/request-path-document.mjs'

/** The files that a part of the page lists. */
const listed = (text) => new Set([...text.matchAll(/\]\(\.\.\/(packages\/[^)]+)\)/g)].map(([, path]) => path))
const paths = (files) => new Set(files.map(({ path }) => path))

t.test(
  'docs/request-path.md lists the files that a request enters; pnpm docs:request-path makes it anew',
  async (t) => {
    const page = readFileSync(join(root, 'docs/request-path.md'), 'utf8')
    const [warmPart, firstPart] = page.split('\n## ').slice(1)
    const { first, warm } = await traceLists()
    t.ok(warm.length > 10)
    t.same(listed(warmPart), paths(warm))
    t.same(new Set([...listed(warmPart), ...listed(firstPart)]), new Set([...paths(warm), ...paths(first)]))
    t.match(page, `A **warm list** enters ${warm.length} files`)
    t.match(page, `The **first list** enters ${first.length} files`)
  }
)
