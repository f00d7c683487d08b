import t from 'tap'
import { toOperand, unmatchable } from '#src/operators/operand.ts'
import { rulesOf } from '#src/rules.ts'
import { compileType } from '#src/types/compile-type.ts'

const place = { model: 'Sample', key: 'value', dottedNames: false }

const convert = (type: unknown, raw: unknown): unknown =>
  toOperand(
    {
      path: ['value'],
      key: 'value',
      declared: true,
      rules: rulesOf(),
      ignoresDatesInLists: false,
      readsLikeOptions: true,
      findsEmptyText: false,
      foreignOperators: undefined,
      type: type === undefined ? undefined : compileType(type, place)
    },
    raw
  )

const date = (text: string) => new Date(text)

const operands: readonly (readonly [type: unknown, raw: unknown, operand: unknown])[] = [
  ['string', 5, '5'],
  ['string', date('2020-01-01'), '2020-01-01T00:00:00.000Z'],
  ['dateString', 5, '5'],
  ['text', 5, 5],
  ['number', '', 0],
  ['number', true, 1],
  ['number', 'x', unmatchable],
  ['integer', '5', 5],
  ['boolean', 'false', false],
  ['boolean', '0', false],
  ['boolean', 'x', true],
  ['boolean', 0, false],
  ['date', 0, date('1970-01-01')],
  ['date', date('2020-01-01'), date('2020-01-01')],
  ['any', { a: 1 }, { a: 1 }],
  ['object', 'x', 'x'],
  [['number'], '5', 5],
  [['string'], [5], '5'],
  [['string'], [5, 6], unmatchable],
  ['number', ['5'], 5],
  [undefined, '5', '5'],
  [undefined, [1, 2], [1, 2]],
  ['number', null, null],
  ['number', undefined, null]
]

t.test('values of a filter take the type of what they are compared with', async (t) => {
  for (const [type, raw, operand] of operands) t.strictSame(convert(type, raw), operand, JSON.stringify([type, raw]))
})

t.test('what is no date is refused', async (t) => {
  for (const raw of ['x', true, {}, date('x'), ['2020-01-01'], ['a', 'b']]) {
    t.throws(() => convert('date', raw), { code: 'INVALID_FILTER', statusCode: 400 }, JSON.stringify(raw))
  }
})
