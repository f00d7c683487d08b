import { migrate, planMigration, type ModelDefinition, type ModelRegistry } from '@modelwire/core'
import type { Test } from 'tap'
import { openModels, type SqlCase, type SqlTestsOptions } from './sql-case.ts'

const crate = (properties: object, more: object = {}): ModelDefinition => ({
  name: 'SqlCrate',
  strict: true,
  properties: { id: { type: 'number', id: true, generated: true }, ...properties },
  ...more
})

const code = { type: 'string', length: 40 }

const required = (type: unknown, value: unknown): object => ({ type, required: true, default: value })
const indexed = (type: object): object => ({ ...type, index: true })

/** Opens the models of a database that others were migrated to, and leaves it as it is. */
async function open(t: Test, options: SqlTestsOptions, models: readonly ModelDefinition[]): Promise<ModelRegistry> {
  return (await openModels(t, options, models, { empty: false, migrates: false })).registry
}

async function planOf(registry: ModelRegistry, prune = false): Promise<{ kinds: unknown[]; notes: readonly string[] }> {
  const [plan] = await planMigration(registry, { prune })
  return { kinds: (plan?.steps ?? []).map(({ kind }) => kind), notes: plan?.notes ?? [] }
}

const mentions = (notes: readonly string[], ...words: readonly string[]): boolean =>
  notes.some((note) => words.every((word) => note.toLowerCase().includes(word)))

/** Models that are not what they were when their tables were made: properties and indexes. */
export const changedModelCases: readonly SqlCase[] = [
  {
    name: 'defaults of all types are in the records that are there, as the model reads them',
    run: async (t, options) => {
      const first = await openModels(t, options, [crate({ name: 'string' })])
      await first.registry.get('SqlCrate').create({ name: 'old' })
      const start = Date.now() - 1000
      const added = {
        at: required('date', '$now'),
        since: { type: 'date', required: true, defaultFn: 'now' },
        day: required('date', '2020-01-02T03:04:05.678Z'),
        tags: required(['string'], ['a', 'b']),
        meta: required('object', { a: "it's" }),
        any: required('any', 'x'),
        rank: required('number', '5'),
        label: { ...code, required: true, default: '$now' }
      }
      const registry = await open(t, options, [crate({ name: 'string', ...added })])
      await migrate(registry)
      t.same((await planOf(registry)).kinds, [])
      const [old] = await registry.get('SqlCrate').find()
      const { at, since, ...rest } = old?.toObject() ?? {}
      for (const moment of [at, since]) t.ok(moment instanceof Date && moment.getTime() >= start)
      t.match(rest, {
        day: new Date('2020-01-02T03:04:05.678Z'),
        tags: ['a', 'b'],
        meta: { a: "it's" },
        any: 'x',
        rank: 5
      })
      t.equal(rest['label'], '$now')
    }
  },
  {
    name: 'a required property without a default is told before its column is added, and after',
    run: async (t, options) => {
      await openModels(t, options, [crate({})])
      const registry = await open(t, options, [crate({ name: { ...code, required: true } })])
      for (const kinds of [['addColumn'], []]) {
        const plan = await planOf(registry)
        t.same(plan.kinds, kinds)
        t.ok(mentions(plan.notes, 'column name', 'may be null'))
        await migrate(registry)
      }
    }
  },
  {
    name: 'an id in a new column is no primary key: that is told',
    run: async (t, options) => {
      await openModels(t, options, [crate({ name: 'string' })])
      const keyed = { name: 'SqlCrate', strict: true, properties: { code: { ...code, id: true }, name: 'string' } }
      const registry = await open(t, options, [keyed])
      await migrate(registry)
      t.ok(mentions((await planOf(registry)).notes, 'primary key (id)', 'is (code)'))
    }
  },
  {
    name: 'a required property that is gone leaves a column that refuses records: that is told, and prune drops it',
    run: async (t, options) => {
      await openModels(t, options, [crate({ name: { ...code, required: true, index: true } })])
      const registry = await open(t, options, [crate({ title: code })])
      await migrate(registry)
      t.ok(mentions((await planOf(registry)).notes, 'column name', 'no model has it', 'records are refused'))
      await t.rejects(registry.get('SqlCrate').create({ title: 'a' }), { code: 'CONSTRAINT_VIOLATED' })
      await migrate(registry, { prune: true })
      t.same(await planOf(registry, true), { kinds: [], notes: [] })
      await t.resolves(registry.get('SqlCrate').create({ title: 'a' }))
    }
  },
  {
    name: 'an index of other columns gives way to the one of its name, also a unique one',
    run: async (t, options) => {
      const [a, b] = [code, { type: 'number' }]
      const before = { sql_crate_place: { keys: { a: 1 } }, sqlcrate_b_key: { keys: { b: 1 } } }
      await openModels(t, options, [crate({ a, b }, { indexes: before })])
      const after = { sql_crate_place: { keys: { b: 1, a: 1 } } }
      const registry = await open(t, options, [crate({ a, b: { ...b, unique: true } }, { indexes: after })])
      await migrate(registry)
      t.same((await planOf(registry)).kinds, [])
      await registry.get('SqlCrate').create({ a: 'x', b: 1 })
      await t.rejects(registry.get('SqlCrate').create({ a: 'y', b: 1 }), { code: 'DUPLICATE_KEY' })
    }
  },
  {
    name: 'an index that cannot be replaced stays',
    run: async (t, options) => {
      const before = { sql_crate_place: { keys: { a: 1 } } }
      const first = await openModels(t, options, [crate({ a: code }, { indexes: before })])
      await first.registry.get('SqlCrate').create([{ a: 'x' }, { a: 'x' }])
      const indexes = { sql_crate_place: { keys: { a: 1 }, options: { unique: true } } }
      const registry = await open(t, options, [crate({ a: code }, { indexes })])
      await t.rejects(migrate(registry), { code: 'MIGRATION_FAILED', step: { kind: 'dropIndex' } })
      t.same(await planOf(first.registry), { kinds: [], notes: [] })
    }
  },
  {
    name: 'a unique index that no model asks for any more is told, and prune drops it',
    run: async (t, options) => {
      await openModels(t, options, [crate({ code: { ...code, unique: true } })])
      const registry = await open(t, options, [crate({ code })])
      const { kinds, notes } = await planOf(registry)
      t.same(kinds, [])
      t.ok(mentions(notes, 'unique index', '(code)', 'no model declares it'))
      await migrate(registry, { prune: true })
      t.same(await planOf(registry, true), { kinds: [], notes: [] })
      await t.resolves(registry.get('SqlCrate').create([{ code: 'a' }, { code: 'a' }]))
    }
  },
  {
    name: 'texts, lists and bytes that have a column already are indexed as well as new ones',
    run: async (t, options) => {
      const [list, bytes] = [{ type: ['string'] }, { type: 'buffer' }]
      await openModels(t, options, [crate({ name: 'string', key: 'string' })])
      const grown = { name: indexed({ type: 'string' }), list: indexed(list), bytes: indexed(bytes) }
      const registry = await open(t, options, [crate({ ...grown, key: { type: 'string', unique: true } })])
      await migrate(registry)
      t.same((await planOf(registry)).kinds, [])
      await registry.get('SqlCrate').create({ name: 'a'.repeat(400), key: 'k', list: ['a'] })
      await t.rejects(registry.get('SqlCrate').create({ key: 'k' }), { code: 'DUPLICATE_KEY' })
    }
  },
  {
    name: 'more digits are made room for, fewer are told',
    run: async (t, options) => {
      const price = (dataPrecision: number, dataScale: number): object => ({
        price: { type: 'number', [options.mappingKey]: { dataType: 'DECIMAL', dataPrecision, dataScale } }
      })
      await openModels(t, options, [crate(price(8, 2))])
      // SQLite changes no columns, and its numbers have as many digits as any.
      const isChanged = options.mappingKey !== 'sqlite3'
      const wider = await open(t, options, [crate(price(10, 2))])
      t.same((await planOf(wider)).kinds, isChanged ? ['alterColumn'] : [])
      await migrate(wider)
      const narrower = await planOf(await open(t, options, [crate(price(10, 4))]))
      t.same(narrower.kinds, [])
      t.ok(mentions(narrower.notes, 'column price', 'migrations do not change types'))
    }
  }
]
