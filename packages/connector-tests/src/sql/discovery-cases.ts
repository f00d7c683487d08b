import { discoverModels, migrate, ModelRegistry, planMigration, type ModelDefinition } from '@modelwire/core'
import { discoveryOf, type DataSource } from '@modelwire/core/connector'
import type { Test } from 'tap'
import { openModels, type OpenModels, type SqlCase, type SqlTestsOptions } from './sql-case.ts'

const shelf: ModelDefinition = {
  name: 'Shelf',
  strict: true,
  idInjection: false,
  properties: {
    id: { type: 'number', id: true, generated: true },
    label: { type: 'string', required: true, unique: true, length: 40 },
    code: { type: 'string', index: true },
    room: 'string'
  },
  indexes: { shelf_room_code: { keys: { room: 1, code: 1 }, options: { unique: true } } }
}
const volume: ModelDefinition = {
  name: 'Volume',
  idInjection: false,
  properties: {
    isbn: { type: 'string', id: true },
    title: { type: 'string', length: 80 },
    price: 'number',
    pages: 'integer',
    lent: 'boolean',
    bought: 'date',
    cover: 'buffer',
    place: 'geopoint',
    tags: 'any',
    shelf_id: 'number'
  },
  foreignKeys: { volume_shelf: { entity: 'Shelf', entityKey: 'id', foreignKey: 'shelf_id', onDelete: 'cascade' } }
}

/** What discovery finds of the two, with names in its own way. */
function expectedOf({ mappingKey, makesIdentities }: SqlTestsOptions): readonly unknown[] {
  const name = mappingKey === 'sqlite3' ? 'volume_shelf_id_fkey' : 'volume_shelf'
  const hasLengths = mappingKey !== 'sqlite3'
  const generated = makesIdentities === true ? 'identity' : true
  const type = makesIdentities === true ? 'integer' : 'number'
  const length = (characters: number): object => (hasLengths ? { length: characters } : {})
  return [
    {
      ...shelf,
      properties: {
        id: { type, id: true, generated },
        label: { type: 'string', required: true, unique: true, ...length(40) },
        code: { type: 'string', index: true },
        room: { type: 'string' }
      }
    },
    {
      name: 'Volume',
      idInjection: false,
      properties: {
        isbn: { type: 'string', id: true },
        title: { type: 'string', ...length(80) },
        price: { type: 'number' },
        pages: { type: 'integer' },
        lent: { type: 'boolean' },
        bought: { type: 'date' },
        cover: { type: 'buffer' },
        place: { type: 'geopoint' },
        tags: { type: 'any' },
        // MySQL indexes every foreign key.
        shelfId: { type, ...(mappingKey !== 'mysql' && { index: false }), [mappingKey]: { columnName: 'shelf_id' } }
      },
      relations: { shelf: { type: 'belongsTo', model: 'Shelf', foreignKey: 'shelfId', primaryKey: 'id' } },
      foreignKeys: { [name]: { entity: 'Shelf', entityKey: 'id', foreignKey: 'shelfId', onDelete: 'cascade' } }
    }
  ]
}

function sourceOf({ registry }: OpenModels): DataSource {
  const [only] = registry.dataSources.values()
  if (only === undefined) throw new Error('there is a data source')
  return only
}

async function discoverBoth(opened: OpenModels): Promise<ModelDefinition[]> {
  const tables = (await discoveryOf(sourceOf(opened)).listTables({})).map(({ name }) => name)
  const own = tables.filter((name) => /^(?:shelf|volume)$/i.test(name))
  return discoverModels(sourceOf(opened), { tables: own })
}

async function dropBoth(t: Test, options: SqlTestsOptions): Promise<void> {
  const { registry } = await openModels(t, options, [shelf, volume], { migrates: false })
  await migrate(registry, { empty: true })
}

/** Two tables and two columns that would have one name each, and a key that leads to the second of both. */
function twins({ mappingKey }: SqlTestsOptions): readonly ModelDefinition[] {
  const table = (tableName: string): object => ({ [mappingKey]: { tableName } })
  const column = (columnName: string): object => ({ [mappingKey]: { columnName } })
  const id = { type: 'number', id: true, generated: true }
  return [
    { name: 'One', ...table('twin_a'), strict: true, idInjection: false, properties: { id, label: 'string' } },
    {
      name: 'Other',
      ...table('twin-a'),
      strict: true,
      idInjection: false,
      properties: {
        id,
        first: { type: 'number', ...column('row_no') },
        second: { type: 'number', unique: true, ...column('row-no') }
      }
    },
    {
      name: 'Leaf',
      ...table('twin_leaf'),
      strict: true,
      idInjection: false,
      properties: { id, twin: 'number' },
      foreignKeys: { leaf_twin: { entity: 'Other', entityKey: 'second', foreignKey: 'twin' } }
    }
  ]
}

/** Tables and columns whose names nothing in an application can have, and two tables that would have one path. */
function awkward({ mappingKey }: SqlTestsOptions): readonly ModelDefinition[] {
  const table = (tableName: string): object => ({ [mappingKey]: { tableName } })
  const column = (columnName: string): object => ({ type: 'string', [mappingKey]: { columnName } })
  const shared = { strict: true, idInjection: false }
  const id = { type: 'number', id: true, generated: true }
  return [
    { name: 'A', ...table('file'), ...shared, properties: { id, a: column('and'), b: column('constructor') } },
    { name: 'B', ...table('film'), ...shared, properties: { id, a: column('$x') } },
    { name: 'C', ...table('films'), ...shared, properties: { id, a: column('a') } }
  ]
}

/** What is read from a database that exists. */
export const discoveryCases: readonly SqlCase[] = [
  {
    name: 'what was migrated is discovered as it was defined',
    run: async (t, options) => {
      await dropBoth(t, options)
      const opened = await openModels(t, options, [shelf, volume], { empty: false })
      const found = await discoverBoth(opened)
      t.strictSame(found, expectedOf(options))
      const again = await openModels(t, options, found, { migrates: false })
      t.match(await planMigration(again.registry), [{ steps: [] }], 'the database has what the definitions ask for')
      await migrate(again.registry, { empty: true })
      t.strictSame(await discoverBoth(again), found, 'and they make the same database')
      await again.registry.get('Shelf').create({ label: 'a', room: 'x' })
      await again.registry.get('Volume').create({ isbn: '1', shelfId: 1, tags: ['x'], extra: 1, lent: true })
      t.match(await again.registry.get('Volume').find({ where: { extra: 1 } }), [
        { tags: ['x'], lent: true, shelfId: 1 }
      ])
    }
  },
  {
    name: 'tables and columns that would have one name get two, and keys lead to the right ones',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, twins(options), { migrates: false })
      await migrate(registry, { empty: true })
      const opened = await openModels(t, options, twins(options), { empty: false })
      const found = await discoverModels(sourceOf(opened), { tables: ['twin_a', 'twin-a', 'twin_leaf'] })
      t.strictSame(
        found.map(({ name, properties }) => [name, Object.keys(properties ?? {})]),
        [
          ['TwinA', ['id', 'label']],
          ['TwinA2', ['id', 'rowNo', 'rowNo2']],
          ['TwinLeaf', ['id', 'twin']]
        ]
      )
      const relation = { type: 'belongsTo', model: 'TwinA2', foreignKey: 'twin', primaryKey: 'rowNo2' }
      t.match(Object.values(found[2]?.relations ?? {}), [relation])
      const again = await openModels(t, options, found, { migrates: false })
      t.match(await planMigration(again.registry), [{ steps: [] }], 'the database has what the definitions ask for')
      await again.registry.get('TwinA2').create({ rowNo: 1, rowNo2: 2 })
      await again.registry.get('TwinLeaf').create({ twin: 2 })
      t.match(await again.registry.get('TwinLeaf').find({}), [{ twin: 2 }])
    }
  },
  {
    name: 'names that no model, property or path can have get a number, and what is discovered starts',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, awkward(options), { migrates: false })
      await migrate(registry, { empty: true })
      const opened = await openModels(t, options, awkward(options), { empty: false })
      const found = await discoverModels(sourceOf(opened), { tables: ['file', 'film', 'films'] })
      t.match(found, [
        { name: 'File2', properties: { and2: {}, constructor2: {} } },
        { name: 'Film', plural: 'Film', properties: { x: {} } },
        { name: 'Films', plural: undefined }
      ])
      const again = await openModels(t, options, found, { migrates: false })
      await again.registry.get('File2').create({ and2: 'x', constructor2: 'y' })
      t.match(await again.registry.get('File2').find({ where: { and2: 'x' } }), [{ constructor2: 'y' }])
    }
  },
  {
    name: "writing to a view that takes no records is refused as the client's mistake",
    run: async (t, options) => {
      await dropBoth(t, options)
      const opened = await openModels(t, options, [shelf, volume], { empty: false })
      const { connector } = sourceOf(opened)
      const tables = await discoveryOf(sourceOf(opened)).listTables({})
      const name = tables.find((each) => /^shelf$/i.test(each.name))?.name ?? ''
      await connector.execute?.(`create view tally as select count(*) as n, 1 as id from ${name}`)
      const tally = { name: 'Tally', idInjection: false, properties: { id: { type: 'number', id: true }, n: 'number' } }
      const again = await openModels(t, options, [{ ...tally, [options.mappingKey]: { tableName: 'tally' } }], {
        migrates: false
      })
      try {
        t.match(await again.registry.get('Tally').find({}), [{ id: 1, n: 0 }])
        await t.rejects(again.registry.get('Tally').create({ id: 2, n: 1 }), { code: 'NOT_UPDATABLE', statusCode: 422 })
      } finally {
        await connector.execute?.('drop view tally')
      }
    }
  },
  {
    name: 'tables, columns and keys are listed in the words of LoopBack',
    run: async (t, options) => {
      await dropBoth(t, options)
      const opened = await openModels(t, options, [shelf, volume], { empty: false })
      const discovery = discoveryOf(sourceOf(opened))
      const table = (await discovery.listTables({})).find(({ name }) => /^volume$/i.test(name))
      t.match(table, { type: 'table' })
      const name = table?.name ?? ''
      const columns = await discovery.listColumns(name, {})
      t.match(columns[0], { tableName: name, columnName: 'isbn', nullable: 'N', type: 'string' })
      t.match(
        columns.find(({ columnName }) => columnName === 'shelf_id'),
        { nullable: 'Y', type: options.makesIdentities === true ? 'integer' : 'number' }
      )
      t.match(await discovery.listPrimaryKeys(name, {}), [{ tableName: name, columnName: 'isbn', keySeq: 1 }])
      t.match(await discovery.listForeignKeys(name, {}), [
        { fkTableName: name, fkColumnName: 'shelf_id', keySeq: 1, pkTableName: /^shelf$/i, pkColumnName: 'id' }
      ])
      t.same(await discovery.listColumns(`no'such"table`, {}), [])
      t.same(await discoverModels(sourceOf(opened), { tables: ['nothing'] }), [])
    }
  },
  {
    name: 'a table whose key has two columns is discovered as a model whose id consists of both',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, [], { migrates: false })
      const source = registry.dataSources.get('db')
      t.ok(source)
      if (source === undefined) return
      await source.connector.execute?.('drop table if exists keyed_price')
      const columns = 'amount integer, region varchar(20) not null, shop varchar(20) not null'
      await source.connector.execute?.(`create table keyed_price (${columns}, primary key (shop, region))`)
      t.teardown(() => source.connector.execute?.('drop table if exists keyed_price'))
      const [definition] = await discoverModels(source, { tables: ['keyed_price'] })
      t.match(definition, { properties: { shop: { id: 1 }, region: { id: 2 } } })
      if (definition === undefined) return
      registry.define(definition)
      registry.attach(definition.name, 'db')
      const Price = registry.get(definition.name)
      await Price.create([
        { shop: 'a', region: 'x', amount: 1 },
        { shop: 'a', region: 'y', amount: 2 }
      ])
      t.match(await Price.findById('a,y'), { amount: 2 })
      await Price.deleteById({ shop: 'a', region: 'x' })
      t.match(await Price.find(), [{ shop: 'a', region: 'y' }])
      t.match(await planMigration(registry), [{ steps: [] }], 'nothing to migrate')
      const facts = (await source.connector.examine?.([registry.typeOf(definition.name)])) ?? []
      t.notOk(facts.some(({ reason }) => reason.includes('also has')))
    }
  },
  {
    name: 'a data source without tables cannot be discovered',
    run: async (t) => {
      const registry = new ModelRegistry()
      const { connector } = { connector: { name: 'none' } as DataSource['connector'] } // nothing else of it is used
      const source = registry.addDataSource('none', connector)
      await t.rejects(discoverModels(source), { code: 'NOT_IMPLEMENTED' })
    }
  }
]
