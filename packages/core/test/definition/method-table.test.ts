import t from 'tap'
import type { CoreOptions } from '#src/index.ts'
import type { Effect } from '#src/operations/effect.ts'
import { buildModels } from '../build-models.ts'
import { isShared, type SharedMethods } from '#src/operations/is-shared.ts'
import { MethodTable } from '#src/definition/method-table.ts'
import type { Operation } from '#src/operations/operation.ts'

const reading: Effect = { verb: 'find', subject: 'set' }

/** What decides whether an operation is reachable. */
function operation(name: string, aliases: readonly string[] = [], effect = reading, options: CoreOptions = {}) {
  const model = buildModels([{ name: 'Book' }], options).typeOf('Book')
  const known: Partial<Operation> = { name, aliases, effect, model }
  return { ...known, onInstance: name.startsWith('prototype.') } as Operation // nothing else of it is looked at
}

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

const ofMany: readonly Effect[] = [
  { verb: 'patch', subject: 'set', condition: 'where' },
  { verb: 'delete', subject: 'set' }
]
const settingsOfMany: readonly (readonly [
  settings: readonly (SharedMethods | undefined)[],
  native: boolean,
  compat: boolean
])[] = [
  [[], false, true],
  [[{ '*': true }, undefined], false, true],
  [[{ many: true }], true, true],
  [[{ many: true }, { '*': true }], true, true],
  [[{ many: true }, { '*': false }], false, true],
  [[{ many: true }, { many: false }], false, false],
  [[{ many: false }, { many: true }], true, true]
]

t.test(
  'what changes or deletes many records has to be shared by its name, except for clients of LoopBack',
  async (t) => {
    for (const effect of ofMany)
      for (const [settings, native, compat] of settingsOfMany) {
        const message = JSON.stringify([effect, settings])
        t.equal(isShared(operation('many', [], effect), none, ...settings), native, message)
        t.equal(isShared(operation('many', [], effect, { compat: true }), none, ...settings), compat, message)
      }
    t.equal(isShared(operation('one', [], { verb: 'delete', subject: 'record' }), none), true)
  }
)

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
