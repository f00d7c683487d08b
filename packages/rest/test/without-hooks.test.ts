import { createHook, executionAsyncId } from 'node:async_hooks'
import { memory } from '@modelwire/connector-memory'
import { ModelRegistry, OperationContext } from '@modelwire/core'
import { callSteps, Client, compileOperation, registryOf } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import t from 'tap'
import { listOperations } from '#src/operations/list-operations.ts'

function build(): ModelType {
  const registry = new ModelRegistry()
  registry.addDataSource('db', memory())
  registry.define({ name: 'Book', public: true, properties: { title: { type: 'string', required: true } } })
  registry.attach('Book', 'db')
  return registry.typeOf('Book')
}

/** One call of an operation as a route makes it, for a client; gives what `perform` gave, and the context. */
function call(model: ModelType, name: string, args: Record<string, unknown>, id?: string) {
  const registry = registryOf(model)
  const operation = listOperations(model, undefined).find((one) => one.name === name)
  if (operation === undefined) throw new TypeError(`there is no ${name}`)
  const context = new OperationContext(operation, { args, id, client: new Client(undefined, undefined) })
  return {
    context,
    given: callSteps.perform(compileOperation(operation, registry.guardsOf(operation), registry.remoteHooks), context)
  }
}

/** Reads, counts and writes of one record: what most requests are. */
const calls: readonly (readonly [string, Record<string, unknown>, string?])[] = [
  ['create', { data: { title: 'Dune' } }],
  ['findById', { id: '1' }],
  ['find', { filter: { where: { title: 'Dune' }, order: 'title', limit: 2 } }],
  ['findOne', {}],
  ['count', { where: { title: 'Dune' } }],
  ['prototype.patchAttributes', { data: { title: 'Emma' } }, '1']
]

t.test('without hooks a call waits for promises only', async (t) => {
  const model = build()
  const made = new Set<string>()
  const here = executionAsyncId()
  const watch = createHook({
    init: (_, type, trigger) => {
      if (executionAsyncId() === here || trigger === here) made.add(type)
    }
  })
  for (const [name, args, id] of calls) {
    watch.enable()
    const { given, context } = call(model, name, args, id)
    await given
    watch.disable()
    t.ok(context.result, name)
  }
  t.strictSame([...made], ['PROMISE'])
})

t.test('without hooks no observer table is asked to notify', async (t) => {
  const model = build()
  let asked = 0
  Object.defineProperty(model.hooks, 'notify', { value: async () => void asked++ })
  for (const [name, args, id] of calls) await call(model, name, args, id).given
  t.equal(asked, 0)
})

t.test('one observer is enough, and it is heard', async (t) => {
  const model = build()
  const heard: string[] = []
  for (const name of ['access', 'before save', 'loaded', 'after save'])
    model.hooks.observe(name, () => void heard.push(name))
  await call(model, 'create', { data: { title: 'Dune' } }).given
  t.strictSame(heard, ['before save', 'loaded', 'after save'])
  await call(model, 'find', {}).given
  t.strictSame(heard.slice(3), ['access', 'loaded'])
})
