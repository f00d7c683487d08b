import t from 'tap'
import { filterOf, testWith, type ValueOperator } from '@modelwire/connector-tests'
import type { ModelDefinition } from '@modelwire/core'
import { type Condition, type OrderClause, wildcardPattern } from '@modelwire/core/connector'
import { openMemory } from './fixtures/open-memory.ts'

// How many rows a plan looks at is counted by a condition that every row satisfies and that is tried first.

const rows = 3000
const definition = (idType: 'number' | 'string'): ModelDefinition => ({
  name: 'Item',
  properties: {
    id: { type: idType, id: true },
    price: { type: 'number', index: true },
    cat: { type: 'number', index: true },
    code: { type: 'string', index: true },
    name: 'string'
  }
})

const test = (name: string, operator: ValueOperator, value: unknown): Condition => ({
  kind: 'test',
  path: [name],
  type: { kind: 'number' },
  ...testWith(operator, value)
})
const startsWith = (name: string, text: string): Condition => ({
  kind: 'test',
  path: [name],
  type: { kind: 'string' },
  test: 'pattern',
  pattern: wildcardPattern(
    { tokens: [{ kind: 'text', text }], anchor: 'start' },
    { ignoreCase: false, readsAll: false }
  )
})
const by = (name: string, descending = false): OrderClause[] => [{ path: [name], type: { kind: 'number' }, descending }]

async function lookedAt(
  t: Parameters<typeof openMemory>[0],
  conditions: readonly Condition[],
  parts: { order?: OrderClause[]; limit?: number },
  idType: 'number' | 'string' = 'number'
): Promise<number> {
  const { collection } = await openMemory(t, [definition(idType)])
  const idAt = (at: number): number | string => (idType === 'number' ? at + 1 : `id${(at * 1009) % rows}`)
  const made = Array.from({ length: rows }, (_, at) => ({
    id: idAt(at),
    price: (at * 7919) % rows,
    cat: at % 100,
    code: `c${String(at).padStart(4, '0')}`,
    name: 'x'
  }))
  await collection('Item').insert(made)
  let count = 0
  const counting: Condition = {
    kind: 'test',
    path: ['name'],
    test: 'pattern',
    pattern: { source: '', ignoreCase: false, readsAll: false, test: () => ++count > 0 }
  }
  await collection('Item').find(filterOf({ where: { kind: 'and', conditions: [counting, ...conditions] }, ...parts }))
  return count
}

const table: readonly (readonly [
  string,
  readonly Condition[],
  { order?: OrderClause[]; limit?: number },
  most: number
])[] = [
  ['an id', [test('id', 'eq', 5)], {}, 1],
  ['several ids', [test('id', 'inq', [5, 6, 7])], {}, 3],
  ['an indexed value', [test('cat', 'eq', 5)], {}, 30],
  ['several indexed values', [test('cat', 'inq', [5, 6])], { order: by('name') }, 60],
  ['the rarer of two indexed values', [test('cat', 'eq', 5), test('price', 'eq', 7)], {}, 1],
  ['an indexed range', [test('price', 'between', [10, 29])], {}, 20],
  ['two ends of an indexed range', [test('price', 'gte', 10), test('price', 'lt', 30)], { order: by('cat') }, 21],
  ['the beginning of an indexed text', [startsWith('code', 'c01')], {}, 101],
  ['an indexed order with a limit', [], { order: by('price'), limit: 20 }, 20],
  ['the end of an indexed order', [], { order: by('price', true), limit: 20 }, 20],
  [
    'an indexed range in its own order',
    [test('price', 'between', [100, 2000])],
    { order: by('price', true), limit: 20 },
    20
  ],
  [
    'an indexed order that another condition thins out',
    [test('cat', 'lt', 50)],
    { order: by('price'), limit: 20 },
    200
  ],
  ['a page by id', [], { limit: 20 }, 20],
  ['a page by id from the end', [], { order: by('id', true), limit: 20 }, 20],
  ['a page after an id', [test('id', 'gt', 1000)], { limit: 20 }, 21]
]

for (const [name, conditions, parts, most] of table) {
  void t.test(`few rows are looked at for ${name}`, async (t) => {
    const count = await lookedAt(t, conditions, parts)
    t.ok(count <= most, `${count} of ${rows}`)
  })
}

void t.test('rows with ids that do not come in order are paged by an index too', async (t) => {
  t.ok((await lookedAt(t, [], { limit: 20 }, 'string')) <= 20)
})

void t.test('an index that does not help is given up', async (t) => {
  const count = await lookedAt(t, [test('price', 'gte', 0), test('cat', 'neq', 5)], { order: by('price'), limit: rows })
  t.ok(count <= 2 * rows, `${count} of ${rows}`)
})
