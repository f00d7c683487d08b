import t from 'tap'
import { hookNames } from '#src/hooks/hook-table.ts'
import type { HookContext, ModelClass } from '#src/index.ts'
import { buildModels } from '../build-models.ts'

interface Observed {
  id?: number
  name?: string
  n?: number
  owner?: string
}

const nameOf = (prefix: string, value: unknown): string =>
  typeof value === 'object' && value !== null ? `${prefix}:${String((value as Observed).name)}` : ''

/** One line per hook, as the recording remoting/operation-hooks writes it. */
function describe(hook: string, context: HookContext): string {
  const keys = Object.keys(context).filter((key) => !['Model', 'options', 'hookState'].includes(key))
  const where = context.where ?? (context.query && (context.query['where'] ?? {}))
  return [
    hook,
    keys.toSorted().join(),
    context.isNewInstance ?? '-',
    where === undefined ? '' : JSON.stringify(where),
    nameOf('i', context.instance),
    nameOf('d', context.data)
  ].join(' | ')
}

const fail = (message: string, facts: object): never => {
  throw Object.assign(new Error(message), facts)
}

/** What the observers of the recorded application do beside writing. */
const doings: Readonly<Partial<Record<string, (context: HookContext) => void>>> = {
  'before save': ({ instance, data }) => {
    const target = instance ?? data ?? {}
    if (target['name'] === 'veto') fail('vetoed', { statusCode: 403, code: 'VETO' })
    if (target['name'] === 'shout') target['name'] = 'SHOUT'
  },
  persist: ({ data = {} }) => {
    if (data['name'] === 'persist') data['owner'] = 'persisted'
  },
  loaded: ({ data = {} }) => {
    if (data['name'] === 'load') data['owner'] = 'loaded'
  },
  access: ({ query = {} }) => {
    const { name } = (query['where'] ?? {}) as Observed
    if (name === 'alias') query['where'] = { name: 'SHOUT' }
  },
  'before delete': ({ where }) => {
    if (where?.['id'] === 1) fail('kept', { statusCode: 423, code: 'KEPT' })
  },
  'after save': ({ instance }) => {
    if (instance?.['name'] === 'after') fail('too late', { statusCode: 409, code: 'LATE' })
  }
}

interface Bench {
  readonly Observed: ModelClass<Observed>
  /** What was written since the last time. */
  readonly read: () => string[]
}

function makeBench(): Bench {
  const properties = { name: 'string', n: 'number', seen: ['string'], owner: 'string' }
  const registry = buildModels([{ name: 'Observed', properties }])
  const Observed = registry.get('Observed') as unknown as ModelClass<Observed>
  const log: string[] = []
  for (const hook of hookNames) {
    Observed.modelType.hooks.observe(hook, (context) => void log.push(describe(hook, context)))
    Observed.modelType.hooks.observe(hook, async (context) => doings[hook]?.(context))
  }
  return { Observed, read: () => log.splice(0) }
}

const created = (name: string, stored = name): string[] => [
  `before save | instance,isNewInstance | true |  | i:${name} | `,
  `persist | currentInstance,data,isNewInstance | true |  |  | d:${stored}`,
  `loaded | data,isNewInstance | true |  |  | d:${stored}`,
  `after save | instance,isNewInstance | true |  | i:${stored} | `
]
const access = (where: string) => `access | query | - | ${where} |  | `
const loaded = (name: string) => `loaded | data,isNewInstance | false |  |  | d:${name}`

t.test('hooks of a create see the instance, then the data', async (t) => {
  const { Observed, read } = makeBench()
  await Observed.create({ name: 'one' })
  t.strictSame(read(), created('one'))
  t.match(await Observed.create({ name: 'shout' }), { name: 'SHOUT', id: 2 })
  t.strictSame(read(), created('shout', 'SHOUT'))
  await Observed.create([{ name: 'a' }, { name: 'b' }])
  t.equal(read().length, 8)
})

t.test('a hook that throws before storing leaves nothing behind', async (t) => {
  const { Observed, read } = makeBench()
  await t.rejects(Observed.create({ name: 'veto' }), { statusCode: 403, code: 'VETO' })
  t.strictSame(read(), ['before save | instance,isNewInstance | true |  | i:veto | '])
  await t.rejects(Observed.create([{ name: 'good' }, { name: 'veto' }]), { code: 'VETO' })
  t.equal(await Observed.count(), 0)
})

t.test('an error after storing is thrown although the record is stored', async (t) => {
  const { Observed } = makeBench()
  await t.rejects(Observed.create({ name: 'after' }), { code: 'LATE' })
  t.equal(await Observed.count(), 1)
})

t.test('what persist and loaded change is seen by the next read alone', async (t) => {
  const { Observed } = makeBench()
  t.equal((await Observed.create({ name: 'persist' })).owner, undefined)
  t.equal((await Observed.create({ name: 'load' })).owner, undefined)
  t.match(await Observed.findById(1), { owner: 'persisted' })
  t.match(await Observed.findById(2), { owner: 'loaded' })
})

t.test('reads run access once and loaded per record', async (t) => {
  const { Observed, read } = makeBench()
  await Observed.create([{ name: 'one' }, { name: 'shout' }])
  read()
  await Observed.find()
  t.strictSame(read(), [access('{}'), loaded('one'), loaded('SHOUT')])
  await Observed.findById(1)
  t.strictSame(read(), [access('{"id":1}'), loaded('one')])
  await Observed.findById(99)
  t.strictSame(read(), [access('{"id":99}')])
  await Observed.exists(1)
  await Observed.count({ name: 'x' })
  t.strictSame(read(), [access('{"id":1}'), access('{"name":"x"}')])
})

t.test('an observer of access may replace the query', async (t) => {
  const { Observed, read } = makeBench()
  await Observed.create([{ name: 'one' }, { name: 'shout' }])
  read()
  t.match(await Observed.find({ where: { name: 'alias' } }), [{ name: 'SHOUT' }])
  t.equal(await Observed.count({ name: 'alias' }), 1)
  t.match(await Observed.findOne({ where: { name: 'alias' } }), { name: 'SHOUT' })
  const asked = access('{"name":"alias"}')
  t.strictSame(read(), [asked, loaded('SHOUT'), asked, asked, loaded('SHOUT')])
})

const patched = (name: string, patch = 'undefined'): string[] => [
  `before save | currentInstance,data,where | - | {"id":1} |  | d:${patch}`,
  `persist | currentInstance,data,isNewInstance,where | false | {"id":1} |  | d:${patch}`,
  loaded(patch),
  `after save | instance,isNewInstance | false |  | i:${name} | `
]

t.test('a patch shows its data, in before save too', async (t) => {
  const { Observed, read } = makeBench()
  const one = await Observed.create({ name: 'one' })
  read()
  await one.patchAttributes({ n: 5 })
  t.strictSame(read(), patched('one'))
  await Observed.patchOrCreate({ id: 1, n: 6 })
  t.strictSame(read(), [access('{"id":1}'), loaded('one'), ...patched('one')])
  await t.rejects(one.patchAttributes({ name: 'veto' }), { code: 'VETO' })
  t.strictSame(read(), ['before save | currentInstance,data,where | - | {"id":1} |  | d:veto'])
  t.equal(one.name, 'one')
  t.match(await Observed.patchOrCreate({ name: 'new' }), { id: 2 })
  t.strictSame(read(), created('new'))
})

const replaced = (name: string): string[] => [
  `before save | instance,isNewInstance | false |  | i:${name} | `,
  `persist | currentInstance,data,isNewInstance,where | false | {"id":1} |  | d:${name}`,
  loaded(name),
  `after save | instance,isNewInstance | false |  | i:${name} | `
]

t.test('a replacement asks for no access and shows the instance', async (t) => {
  const { Observed, read } = makeBench()
  await Observed.create({ name: 'one' })
  read()
  await Observed.replaceById(1, { name: 'two' })
  t.strictSame(read(), replaced('two'))
  await Observed.replaceOrCreate({ id: 1, name: 'putted' })
  t.strictSame(read(), replaced('putted'))
  await Observed.replaceOrCreate({ name: 'fresh' })
  t.strictSame(read(), created('fresh'))
  await t.rejects(Observed.replaceById(99, { name: 'x' }), { code: 'RECORD_NOT_FOUND' })
  t.strictSame(read(), [
    'before save | instance,isNewInstance | false |  | i:x | ',
    'persist | currentInstance,data,isNewInstance,where | false | {"id":99} |  | d:x'
  ])
})

t.test('an update of many tells where, and the count at the end', async (t) => {
  const { Observed, read } = makeBench()
  await Observed.create({ name: 'fresh' })
  read()
  await Observed.updateAll({ name: 'fresh' }, { n: 9 })
  t.strictSame(read(), [
    access('{"name":"fresh"}'),
    'before save | data,where | - | {"name":"fresh"} |  | d:undefined',
    'persist | data,where | - | {"name":"fresh"} |  | d:undefined',
    'after save | data,info,where | - | {"name":"fresh"} |  | d:undefined'
  ])
})

const upserted = (where: string, name: string, isNew: boolean): string[] => [
  access(where),
  `before save | data,where | - | ${where} |  | d:${name}`,
  `persist | currentInstance,data,where | - | ${where} |  | d:${name}`,
  `loaded | data,isNewInstance | ${isNew} |  |  | d:${name}`,
  `after save | instance,isNewInstance | ${isNew} |  | i:${name} | `
]

t.test('an upsert by where tells at the end whether it created', async (t) => {
  const { Observed, read } = makeBench()
  await Observed.create({ name: 'fresher' })
  read()
  t.match(await Observed.upsertWithWhere({ name: 'fresher' }, { name: 'freshest' }), { id: 1 })
  t.strictSame(read(), upserted('{"name":"fresher"}', 'freshest', false))
  t.match(await Observed.upsertWithWhere({ name: 'none' }, { name: 'born' }), { id: 2 })
  t.strictSame(read(), upserted('{"name":"none"}', 'born', true))
})

t.test('a deletion runs its hooks whether or not there is something to delete', async (t) => {
  const { Observed, read } = makeBench()
  await Observed.create([{ name: 'a' }, { name: 'b' }])
  read()
  await t.rejects(Observed.destroyById(1), { code: 'KEPT' })
  t.strictSame(read(), [access('{"id":1}'), 'before delete | where | - | {"id":1} |  | '])
  t.equal(await Observed.count(), 2)
  read()
  const deleted = [
    access('{"id":2}'),
    'before delete | where | - | {"id":2} |  | ',
    'after delete | info,where | - | {"id":2} |  | '
  ]
  for (const count of [1, 0]) {
    t.strictSame(await Observed.destroyById(2), { count })
    t.strictSame(read(), deleted)
  }
})

t.test('one object for notes goes through all hooks of an operation, and no further', async (t) => {
  const { Observed } = makeBench()
  const seen: unknown[] = []
  for (const hook of hookNames) {
    Observed.observe(hook, async ({ hookState }) => {
      const notes = hookState as { hooks?: string[] }
      notes.hooks = [...(notes.hooks ?? []), hook]
      seen.push(notes)
    })
  }
  const notesOf = async (act: () => Promise<unknown>): Promise<unknown[]> => {
    seen.length = 0
    await act()
    return [...new Set(seen)].map((notes) => (notes as { hooks: string[] }).hooks)
  }
  const saving = ['before save', 'persist', 'loaded', 'after save']
  t.strictSame(await notesOf(async () => Observed.create({ name: 'a' })), [saving])
  t.strictSame(await notesOf(async () => Observed.find({})), [['access', 'loaded']])
  t.strictSame(await notesOf(async () => Observed.replaceOrCreate({ id: 1, name: 'b' })), [saving])
  t.strictSame(await notesOf(async () => Observed.upsertWithWhere({ name: 'b' }, { name: 'c' })), [
    ['access', ...saving]
  ])
  t.strictSame(await notesOf(async () => Observed.updateAll({ name: 'c' }, { n: 1 })), [
    ['access', 'before save', 'persist', 'after save']
  ])
  t.strictSame(await notesOf(async () => Observed.destroyAll({ name: 'none' })), [
    ['access', 'before delete', 'after delete']
  ])
})
