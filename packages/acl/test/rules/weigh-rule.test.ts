import t from 'tap'
import { readRule } from '#src/rules/read-rule.ts'
import type { Call } from '#src/rules/rule.ts'
import { weighRule } from '#src/rules/weigh-rule.ts'

const call: Call = { model: 'Thing', method: 'find', aliases: ['all'], accessType: 'READ' }
const weigh = (written: object): number | undefined =>
  weighRule(
    readRule({ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', ...written }, 'Thing'),
    call
  )

const stronger: [string, object, object][] = [
  ['a method is stronger than all methods', { property: 'find' }, { principalType: 'USER', principalId: '1' }],
  ['an access type is stronger than all types', { accessType: 'READ' }, { principalId: 'staff' }],
  ['a user is stronger than a role', { principalType: 'USER', principalId: '1' }, { principalId: 'staff' }],
  ['a role of the application is stronger than owners', { principalId: 'staff' }, { principalId: '$owner' }],
  ['owners are stronger than callers with a token', { principalId: '$owner' }, { principalId: '$authenticated' }],
  ['callers with a token are stronger than everyone', { principalId: '$authenticated' }, {}],
  ['of two equal rules the one that denies is stronger', { permission: 'DENY' }, { permission: 'ALLOW' }]
]

for (const [name, strong, weak] of stronger) {
  void t.test(`weight: ${name}`, async (t) => {
    t.ok(Number(weigh(strong)) > Number(weigh(weak)))
  })
}

void t.test('a rule about other calls weighs nothing', async (t) => {
  for (const other of [{ property: 'count' }, { property: [] }, { accessType: 'WRITE' }, { property: 'all' }])
    t.equal(weigh(other), undefined)
})

void t.test('a rule for EXECUTE is about calls of every type', async (t) => {
  t.equal(weigh({ accessType: 'EXECUTE' }), weigh({ accessType: 'READ' }))
})
