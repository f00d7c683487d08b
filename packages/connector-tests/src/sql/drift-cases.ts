import { migrate, planMigration, type ModelDefinition } from '@modelwire/core'
import { type SqlCase, openModels } from './sql-case.ts'

const untouched = { empty: false, migrates: false }

const stock = (properties: object, more: object = {}): ModelDefinition => ({
  name: 'SqlStock',
  strict: true,
  properties: { id: { type: 'number', id: true, generated: true }, ...properties },
  ...more
})

const long = 'a'.repeat(65)

/** Models that have changed since their tables were made. */
export const driftCases: readonly SqlCase[] = [
  {
    name: 'a table as a migration made it has not drifted',
    run: async (t, options) => {
      const typed = (dataType: string, more: object = {}): object => ({ [options.mappingKey]: { dataType, ...more } })
      const model = stock({
        text: 'string',
        short: { type: 'string', length: 20, required: true },
        key: { type: 'string', index: true },
        number: 'number',
        whole: { type: 'integer', required: true },
        flag: 'boolean',
        at: 'date',
        list: ['string'],
        place: 'geopoint',
        bytes: 'buffer',
        price: { type: 'number', ...typed('DECIMAL', { dataPrecision: 10, dataScale: 2 }) },
        count: { type: 'number', ...typed('INT') },
        written: { type: 'string', ...typed('VARCHAR(30)') },
        day: { type: 'date', ...typed('TIMESTAMP') }
      })
      const { registry } = await openModels(t, options, [model])
      t.match(await planMigration(registry), [{ steps: [], notes: [] }])
    }
  },
  {
    name: 'a changed type, length or requirement is told, and a longer text is made room for',
    run: async (t, options) => {
      const before = {
        a: 'number',
        b: { type: 'string', required: true },
        c: 'string',
        d: { type: 'string', length: 20 }
      }
      const first = await openModels(t, options, [stock({ ...before, e: { type: 'string', length: 40 } })])
      await first.registry.get('SqlStock').create({ a: 1, b: 'b', d: 'd'.repeat(20) })
      const after = {
        a: 'string',
        b: 'string',
        c: { type: 'string', required: true },
        d: { type: 'string', length: 30 }
      }
      const { registry } = await openModels(
        t,
        options,
        [stock({ ...after, e: { type: 'string', length: 10 } })],
        untouched
      )
      const [plan] = await planMigration(registry)
      const isReported = (name: string): boolean =>
        plan?.notes.some((note) => note.includes(`column ${name} of`)) === true
      t.ok(['a', 'b', 'c'].every(isReported))
      // SQLite's texts have any length.
      const hasLengths = options.mappingKey !== 'sqlite3'
      t.equal(isReported('e'), hasLengths)
      t.notOk(isReported('d'))
      t.same(
        plan?.steps.map(({ kind, destructive }) => [kind, destructive]),
        hasLengths ? [['alterColumn', false]] : []
      )
      await migrate(registry)
      await registry.get('SqlStock').create({ b: 'b', c: 'c', d: 'd'.repeat(30) })
      t.match(await planMigration(registry), [{ steps: [] }])
      t.equal(await registry.get('SqlStock').count(), 2)
    }
  },
  {
    name: 'a required property with a default has it in the records that are there',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, [stock({ name: 'string' })])
      await registry.get('SqlStock').create({ name: 'old' })
      const added = {
        label: { type: 'string', required: true, default: 'it\'s "new"' },
        rank: { type: 'number', required: true, default: -1.5 },
        open: { type: 'boolean', required: true, default: true },
        later: { type: 'string', default: 'x' }
      }
      const grown = await openModels(t, options, [stock({ name: 'string', ...added })], { empty: false })
      const [old] = await grown.registry.get('SqlStock').find()
      t.match(old, { name: 'old', label: 'it\'s "new"', rank: -1.5, open: true, later: 'x' })
      t.match(await planMigration(grown.registry), [{ steps: [], notes: [] }])
    }
  },
  {
    name: 'old records have the default of a new property in conditions, orders and aggregates, too',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, [stock({ name: 'string' })])
      await registry.get('SqlStock').create([{ name: 'a' }, { name: 'b' }])
      const added = {
        indoor: { type: 'boolean', default: false },
        rank: { type: 'integer', default: 3 },
        at: { type: 'date', defaultFn: 'now' }
      }
      const grown = await openModels(t, options, [stock({ name: 'string', ...added })], { empty: false })
      const Stock = grown.registry.get('SqlStock')
      await Stock.create({ name: 'c', indoor: true, rank: 1 })
      t.equal(await Stock.count({ indoor: false, rank: 3 }), 2)
      t.same(
        (await Stock.find({ order: 'rank', fields: ['rank'] })).map(({ rank }) => rank),
        [1, 3, 3]
      )
      t.equal(await Stock.count({ at: { gt: new Date(0) } }), 3)
      const again = await openModels(
        t,
        options,
        [stock({ name: 'string', ...added, late: { type: 'number', default: 1 } }, { applyDefaultsOnReads: false })],
        { empty: false }
      )
      t.equal(await again.registry.get('SqlStock').count({ late: null }), 3, 'a model may leave them as they are')
      t.match(await planMigration(again.registry), [{ steps: [], notes: [] }])
    }
  },
  {
    name: 'a default that the database cannot generate is told',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, [stock({ name: 'string' })])
      await registry.get('SqlStock').create({ name: 'a' })
      const keyed = stock({ name: 'string', key: { type: 'string', defaultFn: 'guid' } })
      const grown = await openModels(t, options, [keyed], untouched)
      const [plan] = await planMigration(grown.registry)
      t.match(plan, { steps: [{ kind: 'addColumn' }], notes: [/column key of .* is null in existing records/] })
      await migrate(grown.registry)
      t.match(await planMigration(grown.registry), [{ steps: [], notes: [] }])
    }
  },
  {
    name: 'a changed default changes that of the column, once',
    run: async (t, options) => {
      const before = {
        a: { type: 'string', length: 20, default: "it's" },
        b: { type: 'number', default: 1.5 },
        c: { type: 'boolean', default: true },
        d: { type: 'string', length: 20, default: 'same' },
        e: { type: 'number', default: 7 }
      }
      await openModels(t, options, [stock(before)])
      const after = {
        ...before,
        a: { ...before.a, default: 'new' },
        b: { ...before.b, default: -2 },
        c: { ...before.c, default: false }
      }
      const { registry } = await openModels(t, options, [stock(after)], untouched)
      const [plan] = await planMigration(registry)
      // SQLite does not change defaults.
      const isChanged = options.mappingKey !== 'sqlite3'
      t.same(
        plan?.steps.map(({ kind, destructive }) => [kind, destructive]),
        isChanged ? Array.from({ length: 3 }, () => ['alterColumn', false]) : []
      )
      t.equal(plan?.notes.filter((note) => note.includes('has the default')).length, isChanged ? 0 : 3)
      await migrate(registry)
      t.match(await planMigration(registry), [{ steps: [] }])
      t.match(await registry.get('SqlStock').create({}), { a: 'new', b: -2, c: false, d: 'same', e: 7 })
      const other = { ...stock({ a: { ...before.a, default: 'other' } }), name: 'SqlStockOther' }
      const shared = { ...other, [options.mappingKey]: { tableName: 'sqlstock' } }
      const both = [{ ...stock(after), [options.mappingKey]: { tableName: 'sqlstock' } }, shared]
      const opened = await openModels(t, options, both, { empty: false })
      t.match(await planMigration(opened.registry), [{ steps: [] }], 'models of one table that differ change nothing')
    }
  },
  {
    name: 'a unique index over records that are not unique names some of them',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, [
        stock({ code: { type: 'string', length: 40 }, shelf: 'number' })
      ])
      await registry.get('SqlStock').create([
        { code: 'twin', shelf: 1 },
        { code: 'twin', shelf: 1 },
        { code: null, shelf: 1 },
        { code: null, shelf: 1 }
      ])
      const indexes = { sql_stock_place: { keys: { code: 1, shelf: 1 }, options: { unique: true } } }
      const unique = stock({ code: { type: 'string', length: 40 }, shelf: 'number' }, { indexes })
      const next = await openModels(t, options, [unique], untouched)
      const failed: unknown = await migrate(next.registry).catch((error: unknown) => error)
      t.match(failed, { code: 'MIGRATION_FAILED', step: { kind: 'createIndex' } })
      for (const part of ['sqlstock', 'code', 'shelf', '"twin"', '2 records'])
        t.match(String(failed).toLowerCase(), part)
      await registry.get('SqlStock').destroyAll({ code: 'twin' })
      await migrate(next.registry)
      t.match(await planMigration(next.registry), [{ steps: [] }])
    }
  },
  {
    name: 'a name that the database would cut is refused at the start',
    run: async (t, options) => {
      // SQLite's names have any length.
      const isCut = options.mappingKey !== 'sqlite3'
      const mapping = (more: object): object => ({ [options.mappingKey]: more })
      const refused = { code: 'MODEL_DEFINITION_INVALID' }
      for (const wrong of [
        stock({}, mapping({ tableName: long })),
        stock({ [long]: 'string' }),
        stock({ a: 'string' }, { indexes: { [long]: { keys: { a: 1 } } } })
      ]) {
        const opening = openModels(t, options, [wrong], untouched)
        await (isCut ? t.rejects(opening, refused) : t.resolves(opening))
      }
    }
  }
]
