import type { ValueType } from '@modelwire/core/connector'
import t from 'tap'
import { compileCoercion } from '#src/input/coerce-argument.ts'

type Case = readonly [
  kind: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'nested',
  raw: unknown,
  value: unknown
]

function coerce(kind: Case[0], source: 'query' | 'json', raw: unknown): unknown {
  const type: ValueType = kind === 'nested' ? { kind, properties: [], byName: new Map() } : { kind }
  return compileCoercion(type, { name: 'v', source, readsLoosely: true })(raw)
}

const texts: readonly Case[] = [
  ['number', '5', 5],
  ['number', '', 0],
  ['number', undefined, undefined],
  ['boolean', 'true', true],
  ['boolean', 'x', true],
  ['boolean', '1', true],
  ['boolean', '0', false],
  ['boolean', 'false', false],
  ['boolean', 'null', false],
  ['boolean', '', false],
  ['boolean', undefined, false],
  ['string', '', ''],
  ['string', undefined, undefined],
  ['object', '[1]', [1]]
]
const json: readonly Case[] = [
  ['string', 5, '5'],
  ['string', null, 'null'],
  ['number', '5', 5],
  ['number', null, 0],
  ['integer', '5', 5],
  ['boolean', 'false', true],
  ['boolean', 0, false],
  ['boolean', undefined, undefined],
  ['object', [{ a: 1 }], [{ a: 1 }]],
  ['nested', { a: 1 }, { a: 1 }]
]

t.test('version 2 converts texts by its own rules', async (t) => {
  for (const [kind, raw, value] of texts) t.same(coerce(kind, 'query', raw), value, `${kind} ${JSON.stringify(raw)}`)
})

t.test('version 2 converts scalars of JSON bodies', async (t) => {
  for (const [kind, raw, value] of json) t.same(coerce(kind, 'json', raw), value, `${kind} ${JSON.stringify(raw)}`)
})

t.test('version 2 refuses what is no number and no object', async (t) => {
  for (const raw of ['x', 'true', 'null', '1,2'])
    t.throws(() => coerce('number', 'query', raw), { code: 'INVALID_ARGUMENT' })
  for (const raw of [null, 'x', 5]) t.throws(() => coerce('object', 'json', raw), { code: 'INVALID_ARGUMENT' })
  for (const raw of ['x', {}, 1.5]) t.throws(() => coerce('integer', 'json', raw), { code: 'INVALID_ARGUMENT' })
})
