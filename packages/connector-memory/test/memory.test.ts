import t from 'tap'
import { filterOf } from '@modelwire/connector-tests'
import { type ModelDefinition, ModelRegistry } from '@modelwire/core'
import type { Condition } from '@modelwire/core/connector'
import { memory } from '#src/memory.ts'
import { openMemory } from './fixtures/open-memory.ts'

const withId = (id: Record<string, unknown>): ModelDefinition => ({
  name: 'Item',
  properties: { id: { type: 'number', id: true, ...id }, name: 'string' }
})

void t.test('settings have types', async (t) => {
  for (const settings of [{ file: 5 }, { file: true }, { sync: 'yes' }]) {
    t.throws(() => memory(settings), { code: 'OPTION_INVALID' })
  }
  t.doesNotThrow(() => memory({ name: 'db', connector: 'memory', localStorage: 'x', file: null }))
  const generated = memory({ name: 'db', localStorage: '', file: '', connector: 'memory' })
  await t.resolves(generated.connect?.() ?? Promise.resolve(), 'an empty file is none')
  await generated.disconnect?.()
  t.equal(memory().name, 'memory')
  await t.resolves(memory().ping())
})

void t.test('number ids are found by numbers and by what reads as one', async (t) => {
  const { collection } = await openMemory(t, [withId({})])
  await collection('Item').insert([{ id: 7 }])
  t.match(await collection('Item').findById(7), { id: 7 })
  t.match(await collection('Item').findById('7'), { id: 7 })
  t.equal(await collection('Item').findById('x'), undefined)
  t.equal(await collection('Item').findById(''), undefined)
})

void t.test('ids may be dates, binary data or objects of a class', async (t) => {
  class ObjectId {
    #hex: string
    constructor(hex: string) {
      this.#hex = hex
    }
    toString(): string {
      return this.#hex
    }
  }
  const cases = [
    ['date', new Date(5), new Date(5), new Date(6)],
    ['buffer', Buffer.from('a'), Buffer.from('a'), Buffer.from('b')],
    ['any', new ObjectId('a1'), new ObjectId('a1'), new ObjectId('b2')],
    ['object', { a: 1 }, { a: 1 }, { a: 2 }]
  ] as const
  for (const [type, id, same, other] of cases) {
    const { collection } = await openMemory(t, [withId({ type })])
    await collection('Item').insert([{ id, name: 'x' }])
    t.match(await collection('Item').findById(same), { name: 'x' }, type)
    t.equal(await collection('Item').findById(other), undefined, type)
    await t.rejects(async () => collection('Item').insert([{ id: same }]), { code: 'DUPLICATE_KEY' }, type)
  }
})

void t.test('a failed insertion uses up no id', async (t) => {
  const { collection } = await openMemory(t, [{ name: 'Item', properties: { code: { type: 'string', unique: true } } }])
  await collection('Item').insert([{ code: 'x' }])
  await t.rejects(async () => collection('Item').insert([{ code: 'y' }, { code: 'x' }]), { code: 'DUPLICATE_KEY' })
  t.match(await collection('Item').insert([{ code: 'z' }]), [{ id: 2 }])
})

void t.test('an id in a patch is ignored', async (t) => {
  const { collection } = await openMemory(t, [withId({})])
  await collection('Item').insert([{ id: 1 }, { id: 2 }])
  t.equal(await collection('Item').update(undefined, { id: 9, name: 'x' }), 2)
  t.match(await collection('Item').find(filterOf({})), [
    { id: 1, name: 'x' },
    { id: 2, name: 'x' }
  ])
})

void t.test('records without an id are stored in their order', async (t) => {
  const { collection } = await openMemory(t, [
    {
      name: 'Log',
      idInjection: false,
      properties: { text: 'string' }
    }
  ])
  await collection('Log').insert([{ text: 'b' }, { text: 'a' }])
  t.match(await collection('Log').find(filterOf({})), [{ text: 'b' }, { text: 'a' }])
})

const isCat = (operator: 'neq' | 'eq', value: number) =>
  ({
    kind: 'test',
    path: ['cat'],
    type: { kind: 'number' },
    test: 'equals',
    value,
    negated: operator === 'neq'
  }) as const

void t.test('space of removed records is used again and nothing gets lost', async (t) => {
  const { collection } = await openMemory(t, [{ name: 'Item', properties: { cat: { type: 'number', index: true } } }])
  const items = collection('Item')
  await items.insert(Array.from({ length: 5000 }, (_, at) => ({ cat: at % 10 })))
  t.equal(await items.count(isCat('eq', 3)), 500)
  t.equal(await items.delete(isCat('neq', 3)), 4500)
  await items.insert([{ cat: 3 }])
  const found = await items.find(filterOf({ where: isCat('eq', 3) }))
  t.same(
    found.map(({ id }) => id),
    [...Array.from({ length: 500 }, (_, at) => at * 10 + 4), 5001]
  )
  t.match(await items.findById(4994), { cat: 3 })
})

void t.test('properties that a model gets later count, and so do their indexes', async (t) => {
  const registry = new ModelRegistry()
  registry.addDataSource('db', memory())
  registry.define({ name: 'Item', properties: {} })
  registry.attach('Item', 'db')
  const { collection } = registry.typeOf('Item')
  await collection?.insert([{}])
  registry.defineProperty('Item', 'code', { type: 'string', unique: true })
  await collection?.insert([{ code: 'x' }])
  await t.rejects(async () => collection?.insert([{ code: 'x' }]), { code: 'DUPLICATE_KEY' })
  t.equal(await collection?.count(undefined), 2)
})

void t.test('values of another type than the declared one are found all the same', async (t) => {
  const { collection } = await openMemory(t, [{ name: 'Item', properties: { price: { type: 'number', index: true } } }])
  const items = collection('Item')
  await items.insert(Array.from({ length: 100 }, (_, at) => ({ price: at === 50 ? '7' : at })))
  const where = { kind: 'test', path: ['price'], type: { kind: 'number' }, test: 'equals', value: 7 } as const
  t.same(
    (await items.find(filterOf({ where }))).map(({ id }) => id),
    [8, 51]
  )
  t.equal(await items.count(where), 2)
  await items.update({ ...where, path: ['id'], value: 51 }, { price: 50 })
  t.equal(await items.count(where), 1)
})

void t.test('without transactions a read cannot lock records', async (t) => {
  const registry = new ModelRegistry()
  registry.addDataSource('db', memory())
  registry.define({ name: 'Note', properties: { text: 'string' } })
  registry.attach('Note', 'db')
  await t.rejects(registry.get('Note').find({}, { lock: 'update' }), { code: 'NOT_IMPLEMENTED', statusCode: 501 })
})

void t.test('a condition on an id and more is that of one record, if all of it holds', async (t) => {
  const { collection } = await openMemory(t, [{ name: 'Part', properties: { price: 'number', name: 'string' } }])
  const parts = collection('Part')
  await parts.insert([{ price: 1 }, { price: 1 }, { price: 2, name: 'bolt' }])
  const test = (name: string, value: unknown, negated = false): Condition => ({
    kind: 'test',
    path: [name],
    test: 'equals',
    value,
    negated
  })
  const both = (...conditions: Condition[]): Condition => ({ kind: 'and', conditions })
  t.equal(await parts.patch?.(both(test('id', 1), test('price', 2)), { name: 'x' }), undefined)
  t.match(await parts.patch?.(both(test('id', 1), test('price', 1), test('name', null)), { name: 'nut' }), { id: 1 })
  t.equal(await parts.update(both(test('id', 1), test('id', 2)), { price: 9 }), 0)
  t.equal(await parts.update(both(test('id', 2), { kind: 'never' }), { price: 9 }), 0)
  t.equal(await parts.update(both(test('id', 7), test('price', 1)), { price: 9 }), 0)
  t.equal(await parts.update(both(test('id', 3), test('name', null, true)), { price: 3 }), 1)
  t.equal(await parts.delete(both(test('id', 1), test('price', 9))), 0)
  t.match(await parts.find(filterOf({})), [
    { id: 1, price: 1, name: 'nut' },
    { id: 2, price: 1 },
    { id: 3, price: 3, name: 'bolt' }
  ])
})
