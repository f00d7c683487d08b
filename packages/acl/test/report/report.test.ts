import type { AccessRule, RowsFunction } from '@modelwire/core'
import t, { type Test } from 'tap'
import type { CallerLine, ReportLine } from '#src/index.ts'
import { deny, makeApp, rule } from '../make-app.ts'

const ofTeam: RowsFunction = () => ({ teamId: 1 })

async function reportOf(t: Test, acls: object[]): Promise<(operation: string) => ReportLine> {
  const relations = { team: { type: 'belongsTo', model: 'User', foreignKey: 'teamId' } }
  const properties = { label: 'string', price: 'number', userId: 'number' }
  const app = await makeApp(t, [{ name: 'Thing', properties, relations, acls: [deny, ...acls] as AccessRule[] }])
  app.access.registerRole('staff', () => false)
  await app.ready()
  const lines = app.access.report().filter(({ model }) => model === 'Thing')
  return (operation) => {
    const line = lines.find((each) => each.operation === operation)
    if (line === undefined) throw new Error(`no operation is named ${operation}`)
    return line
  }
}

const callerOf = ({ callers }: ReportLine, name: string): CallerLine | undefined =>
  callers.find(({ caller }) => caller === name)

const limits: [object, object][] = [
  [{ rows: '$owner' }, { answer: 'some records', rows: { by: 'owner', text: '$owner' } }],
  [{ rows: 'team' }, { answer: 'some records', rows: { by: 'path', text: 'team' } }],
  [{ rows: ofTeam }, { answer: 'some records', rows: { by: 'function', text: 'ofTeam' } }],
  [{ rows: () => ({ price: 1 }) }, { answer: 'some records', rows: { by: 'function', text: '() => ({ price: 1 })' } }],
  [{ fields: ['label'] }, { answer: 'some properties', fields: { read: ['label'], write: ['label'] } }],
  [
    { fields: { write: { except: ['price'] } } },
    { answer: 'some properties', fields: { write: { except: ['price'] } } }
  ],
  [
    { rows: 'team', fields: { read: ['label'] } },
    { answer: 'some records', rows: { by: 'path', text: 'team' }, fields: { read: ['label'] } }
  ],
  [{}, { answer: 'allowed' }]
]

for (const [more, expected] of limits) {
  void t.test(`the report shows what a rule keeps its callers to: ${JSON.stringify(expected)}`, async (t) => {
    const of = await reportOf(t, [rule('staff', 'ALLOW', { property: 'find', ...more })])
    const { answer: _answer, ...line } = { answer: '', ...expected }
    t.strictSame(callerOf(of('find'), 'staff'), { caller: 'staff', rule: 'ALLOW staff', ...expected })
    t.strictSame(of('find').rules, [
      { rule: 'ALLOW staff', ...line },
      { rule: 'DENY $everyone' },
      { rule: 'ALLOW all others' }
    ])
  })
}

void t.test('a long function is shown by its beginning', async (t) => {
  const rows: RowsFunction = ({ userId }) =>
    userId === undefined ? false : { or: [{ teamId: userId }, { userId }, { price: 1 }] }
  const of = await reportOf(t, [rule('staff', 'ALLOW', { property: 'find', rows })])
  const { text = '' } = callerOf(of('find'), 'staff')?.rows ?? {}
  t.equal(text.length, 80)
  t.match(text, /^\(\{ userId \}\) =>.*…$/)
})

void t.test('a rule for owners counts for methods that name a record', async (t) => {
  const of = await reportOf(t, [rule('$owner', 'ALLOW')])
  for (const operation of ['find', 'count', 'create', 'updateAll'])
    t.match(callerOf(of(operation), '$owner'), { answer: 'denied', rule: 'DENY $everyone' }, operation)
  for (const operation of [
    'findById',
    'deleteById',
    'prototype.patchAttributes',
    'patchOrCreate',
    'prototype.__get__team'
  ])
    t.match(callerOf(of(operation), '$owner'), { answer: 'allowed', rule: 'ALLOW $owner' }, operation)
})

void t.test('callers without a user have no own records, and a function may name some', async (t) => {
  for (const [rows, answer] of [
    ['$owner', 'denied'],
    ['team', 'denied'],
    [ofTeam, 'some records']
  ] as const) {
    const of = await reportOf(t, [rule('$everyone', 'ALLOW', { property: 'find', rows })])
    t.match(callerOf(of('find'), '$unauthenticated'), { answer })
    t.match(callerOf(of('find'), '$authenticated'), { answer: 'some records' })
  }
})
