import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { AllowedDifference } from '#src/conversations/allowed-difference.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8')

/** The row that a table of a page has for a rule. */
const rowOf = ({ rule, mark }: AllowedDifference): string => `| ${rule} | ${mark} |`

/** A page without the spaces by which columns are aligned. */
const unaligned = (page: string): string => page.replaceAll(/ +/g, ' ')

t.test('each difference that is allowed is a documented rule, and there are at most thirty', async (t) => {
  const rules = JSON.parse(await read('conformance/allowed-differences.json')) as AllowedDifference[] // the file of these
  t.ok(rules.length <= 30, `${rules.length} rules`)
  for (const rule of rules) {
    const [page = '', heading = ''] = rule.document.split('#')
    const text = await read(page)
    t.match(text.toLowerCase(), `\n## ${heading.replaceAll('-', ' ')}\n`, rule.document)
    t.match(unaligned(text), rowOf(rule), rule.rule)
    t.ok(['security', 'LoopBack is broken', 'documented'].includes(rule.mark), rule.mark)
    t.ok(rule.when.length > 0, rule.rule)
  }
})
