import t from 'tap'
import { compileOptionalWhere } from '#src/filter/compile-filter.ts'
import { compilePredicate } from '#src/filter/match-where.ts'
import { buildModels } from '../build-models.ts'

const item = { name: 'Item', properties: { name: 'string', tags: ['string'], price: 'number', data: 'object' } }
const model = buildModels([item]).typeOf('Item')
const compatModel = buildModels([item], { compat: true }).typeOf('Item')

function matches(where: unknown, row: Record<string, unknown>, of = model): boolean {
  const condition = compileOptionalWhere(of, where)
  return condition === undefined || compilePredicate(condition)(row)
}

const finds: readonly (readonly [prefix: string, text: unknown, found: boolean])[] = [
  ['An', 'Anvil', true],
  ['An', 'an', false],
  ['An', 'An', true],
  ['nv', 'Anvil', false],
  ['', 'Anvil', true],
  ['', '', true],
  ['', null, false],
  ['', undefined, false],
  ['', 5, false],
  ['null', null, false],
  ['undefined', undefined, false],
  ['%', 'Anvil', false],
  ['10%_', '10%_ off', true],
  ['^A', '^A', true],
  ['.', 'Anvil', false],
  [String.raw`a\%`, String.raw`a\%b`, true],
  ['An', ['x', 'Anvil'], true],
  ['An', [], false]
]

t.test('a text starts with another one, character by character', async (t) => {
  for (const [startsWith, name, found] of finds) {
    const label = JSON.stringify([startsWith, name])
    t.equal(matches({ name: { startsWith } }, { name }), found, label)
    t.equal(matches({ name: { startsWith } }, { name }, compatModel), found, `${label} in compat mode`)
    t.equal(matches({ nor: [{ name: { startsWith } }] }, { name }), !found, `not ${label}`)
  }
  t.equal(matches({ tags: { startsWith: 'le' } }, { tags: ['iron', 'leather'] }), true)
  t.equal(matches({ 'data.code': { startsWith: 'A-' } }, { data: { code: 'A-1' } }), true)
})

t.test('what is no text, and properties that hold none, are refused', async (t) => {
  for (const operand of [5, null, true, ['An'], {}, /^An/])
    t.throws(() => matches({ name: { startsWith: operand } }, {}), { code: 'INVALID_FILTER' }, String(operand))
  t.throws(() => matches({ price: { startsWith: '1' } }, {}), { code: 'INVALID_FILTER' })
  t.throws(() => matches({ name: { startsWith: 'a'.repeat(1001) } }, {}), { code: 'LIMIT_EXCEEDED' })
})

t.test(
  'beside other operators it always holds: LoopBack, which takes only the first one, does not have it',
  async (t) => {
    const where = { name: { like: 'vil', startsWith: 'An' } }
    for (const of of [model, compatModel]) {
      t.equal(matches(where, { name: 'Anvil' }, of), true)
      t.equal(matches(where, { name: 'evil' }, of), false)
      t.equal(matches(where, { name: 'Anna' }, of), false)
    }
  }
)
