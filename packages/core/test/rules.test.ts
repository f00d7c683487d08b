import t from 'tap'
import { ModelRegistry } from '@modelwire/core'
import { ruleTable, rulesOf } from '#src/rules.ts'

const holding = (rules: Readonly<Record<string, boolean>>): string[] =>
  Object.keys(rules).filter((name) => rules[name] === true)

t.test("applications of one's own have no rule of LoopBack's", async (t) => {
  t.strictSame(holding(new ModelRegistry().rules), [])
})

t.test('version and compat decide about rules of their own', async (t) => {
  const ofCompat = Object.keys(ruleTable.compat)
  const ofVersion2 = Object.keys(ruleTable.version2)
  t.strictSame(holding(rulesOf(3, true)), ofCompat)
  t.strictSame(holding(rulesOf(2)), ofVersion2)
  t.strictSame(holding(rulesOf(2, true)), [...ofCompat, ...ofVersion2])
})
