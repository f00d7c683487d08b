import t from 'tap'
import { isShared, MethodTable, type SharedMethods } from '#src/operations/method-table.ts'
import type { Operation } from '#src/operations/operation.ts'

const operation = (name: string, aliases: readonly string[] = []) =>
  ({ name, aliases, onInstance: name.startsWith('prototype.') }) as unknown as Operation

const none = new Set<string>()

const cases: readonly (readonly [name: string, settings: readonly (SharedMethods | undefined)[], shared: boolean])[] = [
  ['find', [], true],
  ['find', [undefined, undefined], true],
  ['find', [{ find: false }], false],
  ['find', [{ '*': false }], false],
  ['find', [{ '*': false, find: true }], true],
  ['find', [{ '*': true, find: false }], false],
  ['find', [{ create: false }], true],
  ['find', [{ find: false }, { find: true }], true],
  ['find', [{ find: true }, { '*': false }], false],
  ['find', [{ '*': false }, { create: true }], false],
  ['prototype.save', [{ save: false }], true],
  ['prototype.save', [{ 'prototype.save': false }], false]
]

t.test('the last setting that says something about a method decides', async (t) => {
  for (const [name, settings, shared] of cases) {
    t.equal(isShared(operation(name), none, ...settings), shared, JSON.stringify([name, settings]))
  }
})

t.test('aliases count for switching off, not for settings', async (t) => {
  const patch = operation('prototype.patchAttributes', ['updateAttributes'])
  t.equal(isShared(patch, new Set(['prototype.updateAttributes'])), false)
  t.equal(isShared(patch, new Set(['updateAttributes'])), true)
  t.equal(isShared(patch, none, { 'prototype.updateAttributes': false }), true)
  t.equal(isShared(operation('create'), new Set(['create']), { create: true }), false)
})

t.test('a table keeps declared methods and switched off names', async (t) => {
  const table = new MethodTable()
  table.declare('lend', { a: 1 })
  table.declare('lend', { a: 2 })
  table.disable('find')
  t.strictSame([...table.specs], [['lend', { a: 2 }]])
  t.strictSame([...table.disabled], ['find'])
})
