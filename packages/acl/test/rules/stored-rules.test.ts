import { mock } from 'node:test'
import { memory } from '@modelwire/connector-memory'
import { ModelRegistry } from '@modelwire/core'
import t from 'tap'
import { storedRules } from '#src/rules/stored-rules.ts'

const texts = Object.fromEntries(
  ['model', 'property', 'accessType', 'permission', 'principalType', 'principalId'].map((name) => [name, 'string'])
)

/** A registry whose `ACL` records may be out of reach; `reads` counts how often they were asked for. */
function build() {
  const registry = new ModelRegistry()
  registry.addDataSource('db', memory())
  registry.define({ name: 'ACL', properties: texts })
  registry.attach('ACL', 'db')
  const model = registry.typeOf('ACL')
  const state = { fails: false, reads: 0 }
  const { collection } = model
  if (collection === undefined) throw new TypeError('the model is attached')
  model.collection = {
    ...collection,
    find: (filter) => {
      state.reads++
      if (state.fails) throw new Error('the database is away')
      return collection.find(filter)
    }
  }
  return { registry, state }
}
const rule = { model: 'Note', permission: 'DENY', principalType: 'ROLE', principalId: '$everyone' }

t.test('stored rules are read once, and again when one changed', async (t) => {
  const { registry, state } = build()
  const stored = storedRules(registry, 60_000)
  t.equal(stored.isEmpty(), false)
  t.same(await stored.read(), [])
  t.equal(stored.isEmpty(), true)
  await stored.read()
  t.equal(state.reads, 1)
  await registry.get('ACL').create(rule)
  t.equal((await stored.read()).length, 1)
  t.equal(state.reads, 2)
})

t.test('after a failure the rules are read again', async (t) => {
  const { registry, state } = build()
  const stored = storedRules(registry, 60_000)
  state.fails = true
  await t.rejects(async () => stored.read(), { message: 'the database is away' })
  state.fails = false
  t.same(await stored.read(), [])
  t.equal(stored.isEmpty(), true)
})

t.test('what others have stored counts after a while, and nothing is kept where that is no time at all', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { registry, state } = build()
  // The time that a read takes is another test's.
  const still = (): number => 0
  const [stored, never] = [storedRules(registry, 50, still), storedRules(registry, 0)]
  t.same(await stored.read(), [])
  t.same(await never.read(), [])
  // Past the model, as another process does.
  await registry.typeOf('ACL').collection?.insert([rule])
  t.equal((await never.read()).length, 1)
  t.equal(never.isEmpty(), false)
  mock.timers.tick(49)
  t.same(await stored.read(), [])
  mock.timers.tick(1)
  t.equal(stored.isEmpty(), false)
  t.equal((await stored.read()).length, 1)
  t.equal(state.reads, 4)
})
