import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { orderRules } from '#src/rules/normal-rule.ts'
import { readRule, readStoredRule } from '#src/rules/read-rule.ts'
import type { Call, Rule } from '#src/rules/rule.ts'
import { weighRule } from '#src/rules/weigh-rule.ts'

const call: Call = { model: 'Note', method: 'find', aliases: ['all'], accessType: 'READ' }
const everything = { model: 'Note', property: '*', accessType: '*', principalType: 'ROLE', principalId: '$everyone' }
const stored = fc.oneof(
  fc.anything(),
  fc.constantFrom<unknown>('', '*', 'Note', 'find', 'READ', 'ALLOW', 'DENY', null, 0)
)

void t.test(
  'whatever a database holds as a rule is read, and is about nothing where it leaves something out',
  async () => {
    const names = ['model', 'property', 'accessType', 'permission', 'principalType', 'principalId', 'rows']
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), stored), (row) => {
        const rule = readStoredRule(row)
        const isWhole = ['model', 'property', 'accessType'].every(
          (name) => row[name] !== '' && row[name] !== 0 && ['string', 'number'].includes(typeof row[name])
        )
        const isId = rule.principalId === undefined || (typeof rule.principalId === 'string' && rule.principalId !== '')
        return isId && rule.isStored && (isWhole || weighRule(rule, call) === undefined)
      }),
      { numRuns: runs(1000) }
    )
  }
)

void t.test('a rule that says anything of rows is never one for all of them', async () => {
  fc.assert(
    fc.property(stored, (rows) => {
      const isSaid = rows !== undefined && rows !== null
      return (readStoredRule({ ...everything, permission: 'ALLOW', rows }).rows !== undefined) === isSaid
    })
  )
})

const written = fc.record({
  principalType: fc.constantFrom('ROLE', 'USER', 'APP', 'SCOPE'),
  principalId: fc.constantFrom('$everyone', '$authenticated', '$related', '$owner', 'admin'),
  permission: fc.constantFrom('ALLOW' as const, 'DENY' as const, 'AUDIT' as const, 'ALARM' as const),
  accessType: fc.constantFrom('*' as const, 'READ' as const, 'WRITE' as const),
  property: fc.constantFrom('*', 'find', 'create'),
  model: fc.constantFrom('*', 'Note', 'Other')
})
const rule = written.map(({ model, ...rest }) => readRule(rest, model))

const place = (list: readonly string[], name: string | undefined): number => list.indexOf(name ?? '')

/** What decides first, second and so on. @see LoopBack 3's documentation, Controlling data access, "ACL rule precedence" */
function precedence({
  model,
  properties,
  accessType,
  principalType,
  principalId,
  permission
}: Rule): readonly number[] {
  return [
    place(['*', 'Note'], model),
    place(['*', 'find'], properties[0]),
    place(['*', 'READ'], accessType),
    // An application and a scope are as specific as each other.
    Math.max(place(['ROLE', 'APP', 'USER'], principalType), principalType === 'SCOPE' ? 1 : 0),
    principalType === 'ROLE' ? place(['$everyone', '$authenticated', '$related', '$owner', 'admin'], principalId) : 0,
    place(['ALLOW', 'ALARM', 'AUDIT', 'DENY'], permission)
  ]
}

function compare(one: Rule, other: Rule): number {
  const [a, b] = [precedence(one), precedence(other)]
  const at = a.findIndex((number, index) => number !== b[index])
  return at === -1 ? 0 : (b[at] ?? 0) - (a[at] ?? 0)
}

void t.test(
  'rules are about a call that they name, the most specific one first, in whatever order they stand',
  async () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), (rules) => {
        const about = rules.filter((each) => !precedence(each).includes(-1))
        const expected = about.toSorted(compare)
        const results = [rules, rules.toReversed()].map((list) => orderRules(list, call))
        return results.every(
          (ordered) =>
            ordered.length === expected.length &&
            ordered.every(({ rule: each }, index) => compare(each, expected[index] ?? each) === 0)
        )
      }),
      { numRuns: runs(1000) }
    )
  }
)
