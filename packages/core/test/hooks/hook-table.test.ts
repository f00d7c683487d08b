import t from 'tap'
import { HookTable, type HookContext, type Observer } from '#src/hooks/hook-table.ts'

const context: HookContext = { Model: undefined, hookState: {}, options: {} }

/** Observers that write their names into a log. */
function makeLog() {
  const log: string[] = []
  const write =
    (name: string): Observer =>
    () =>
      log.push(name)
  return { log, write }
}

t.test("observers run in the order of registration, the base's first", async (t) => {
  const { log, write } = makeLog()
  const base = new HookTable()
  const own = new HookTable(base)
  own.observe('access', write('own 1'))
  base.observe('access', write('base 1'))
  own.observe('access', write('own 2'))
  base.observe('access', write('base 2'))
  await own.notify('access', context)
  t.strictSame(log, ['base 1', 'base 2', 'own 1', 'own 2'])
})

t.test('observers of a model are not those of its base', async (t) => {
  const { log, write } = makeLog()
  const base = new HookTable()
  new HookTable(base).observe('access', write('own'))
  await base.notify('access', context)
  t.strictSame(log, [])
  t.equal(base.has('access'), false)
})

t.test('a model sees observers that its base got later, through several levels', async (t) => {
  const { log, write } = makeLog()
  const root = new HookTable()
  const leaf = new HookTable(new HookTable(root))
  t.strictSame([leaf.has('access'), leaf.isEmpty], [false, true])
  root.observe('access', write('root'))
  t.strictSame([leaf.has('access'), leaf.isEmpty], [true, false])
  await leaf.notify('access', context)
  t.strictSame(log, ['root'])
})

t.test('one observer waits for the one before', async (t) => {
  const { log, write } = makeLog()
  const table = new HookTable()
  table.observe('persist', async (seen) => {
    await Promise.resolve()
    await write('slow')(seen)
  })
  table.observe('persist', write('quick'))
  await table.notify('persist', context)
  t.strictSame(log, ['slow', 'quick'])
})

t.test('an error ends the notification', async (t) => {
  const { log, write } = makeLog()
  const table = new HookTable()
  table.observe('persist', () => {
    throw new TypeError('no')
  })
  table.observe('persist', write('after'))
  await t.rejects(table.notify('persist', context), { name: 'TypeError' })
  t.strictSame(log, [])
})

t.test('observers are removed one by one or all at once', async (t) => {
  const { log, write } = makeLog()
  const base = new HookTable()
  const table = new HookTable(base)
  const [first, second, inherited] = [write('first'), write('second'), write('inherited')]
  base.observe('access', inherited)
  table.observe('access', first)
  table.observe('access', second)
  t.equal(table.remove('access', first), true)
  t.equal(table.remove('access', first), false)
  t.equal(table.remove('access', inherited), false)
  t.equal(table.remove('nothing', first), false)
  await table.notify('access', context)
  t.strictSame(log, ['inherited', 'second'])
  table.clear('access')
  await table.notify('access', context)
  t.strictSame(log, ['inherited', 'second', 'inherited'])
})

t.test('removing within an observer does not disturb the round', async (t) => {
  const { log, write } = makeLog()
  const table = new HookTable()
  const once: Observer = (seen) => {
    table.remove('access', once)
    return write('once')(seen)
  }
  table.observe('access', once)
  table.observe('access', write('always'))
  await table.notify('access', context)
  await table.notify('access', context)
  t.strictSame(log, ['once', 'always', 'always'])
})

t.test('names of the application are allowed, and nobody need listen', async (t) => {
  const { log, write } = makeLog()
  const table = new HookTable()
  await table.notify('after login', context)
  table.observe('after login', write('seen'))
  await table.notify('after login', context)
  t.strictSame(log, ['seen'])
})

t.test('an observer must be a function', async (t) => {
  const table = new HookTable()
  for (const wrong of [undefined, null, 'x', {}]) {
    t.throws(() => table.observe('access', wrong as never), { code: 'OPTION_INVALID' })
  }
})

t.test('somebody may hear of new observers', async (t) => {
  let heard = 0
  const table = new HookTable(undefined, () => heard++)
  table.observe('access', () => {})
  t.equal(heard, 1)
})

t.test('that records are needed as instances is known of the models that extend it, and observes nothing', (t) => {
  const base = new HookTable()
  const own = new HookTable(base)
  t.equal(own.requiresInstances, false)
  base.requireInstances()
  t.equal(own.requiresInstances, true)
  t.equal(own.isEmpty, false)
  t.equal(own.has('loaded') || own.has('before save'), false)
  t.end()
})
