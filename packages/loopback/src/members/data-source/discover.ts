import { ScriptArgumentInvalid } from '../../errors.ts'
import { acceptCallback, isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { attachScriptModel } from '../definition/define-script-model.ts'
import type { ModelRegistry } from '@modelwire/core'
import {
  type DataSource,
  type DiscoveredColumn,
  type DiscoveredForeignKey,
  type Discovery,
  discoveryOf
} from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'

/** `discoverSchema` and the like, as methods of a data source. */
export type DiscoveryMethods = Readonly<Record<DiscoveryName, ScriptFunction>>

type DiscoveryName =
  | 'discoverModelDefinitions'
  | 'discoverModelProperties'
  | 'discoverPrimaryKeys'
  | 'discoverForeignKeys'
  | 'discoverExportedForeignKeys'
  | 'discoverSchema'
  | 'discoverSchemas'
  | 'discoverAndBuildModels'

/** The result of discovery for a table, in LoopBack's form. */
interface Schema {
  readonly name: string
  readonly options: Record<string, unknown>
  readonly properties: Record<string, Record<string, unknown>>
}

type Options = Readonly<Record<string, unknown>>
type Mapper = (kind: string, name: string) => string

/**
 * LoopBack's methods of a data source that read the schema of its database.
 * @see LoopBack 3: loopback-datasource-juggler, lib/datasource.js, discoverSchemas and the methods before it
 */
export function discoveryMethods(registry: ModelRegistry, dataSource: DataSource): DiscoveryMethods {
  const onTable = (read: (discovery: Discovery, table: string, options: Options) => Promise<unknown>): ScriptFunction =>
    acceptCallback(async (table, options) => read(discoveryOf(dataSource), tableName(table), optionsOf(options)))
  return {
    discoverModelDefinitions: acceptCallback(async (options) => {
      const { views } = optionsOf(options)
      return discoveryOf(dataSource).listTables({ ...placeOf(optionsOf(options)), views: views === true })
    }),
    discoverModelProperties: onTable(async (discovery, table, options) =>
      (await declaredColumns(discovery, table, options)).map(propertyRow)
    ),
    discoverPrimaryKeys: onTable((discovery, table, options) => discovery.listPrimaryKeys(table, placeOf(options))),
    discoverForeignKeys: onTable((discovery, table, options) => discovery.listForeignKeys(table, placeOf(options))),
    discoverExportedForeignKeys: onTable((discovery, table, options) => listExported(discovery, table, options)),
    discoverSchema: onTable(async (discovery, table, options) => describeTable(discovery, table, options)),
    discoverSchemas: onTable((discovery, table, options) => describeTables(discovery, table, options)),
    discoverAndBuildModels: onTable(async (discovery, table, options) => {
      const schemas = await describeTables(discovery, table, options)
      return buildModels(registry, dataSource, Object.values(schemas), options)
    })
  }
}

function tableName(table: unknown): string {
  if (typeof table === 'string' && table !== '') return table
  throw new ScriptArgumentInvalid('discovery requires the name of a table')
}

function optionsOf(options: unknown): Options {
  return isPlainObject(options) ? options : {}
}

function placeOf({ owner, schema }: Options): { schema?: string } {
  const schemaName = owner ?? schema
  return typeof schemaName === 'string' ? { schema: schemaName } : {}
}

/** LoopBack writes types as JavaScript's constructors are called. */
function propertyRow({ words: _words, computed: _computed, hasDefault: _hasDefault, ...column }: DiscoveredColumn) {
  const { type } = column
  return { ...column, type: typeof type === 'string' ? constructorName(type) : type.map(constructorName) }
}

const constructorName = (type: string): string => type.charAt(0).toUpperCase() + type.slice(1)

async function listExported(discovery: Discovery, table: string, options: Options): Promise<DiscoveredForeignKey[]> {
  const tables = await discovery.listTables(placeOf(options))
  const keys = await Promise.all(tables.map(async ({ name }) => discovery.listForeignKeys(name, placeOf(options))))
  return keys.flat().filter(({ pkTableName }) => pkTableName === table)
}

/** The schemas of a table and, with `relations`, of all tables that its foreign keys lead to: by `owner.table`. */
async function describeTables(discovery: Discovery, table: string, options: Options): Promise<Record<string, Schema>> {
  const found: Record<string, Schema> = {}
  const wanted = [{ table, options }]
  for (const each of wanted) {
    const columns = await columnsOf(discovery, each.table, each.options)
    const key = `${columns[0]?.owner}.${each.table}`
    if (found[key] !== undefined) continue
    found[key] = await describeTable(discovery, each.table, each.options)
    const keys = followsRelations(options) ? await discovery.listForeignKeys(each.table, placeOf(each.options)) : []
    for (const { pkTableName, pkOwner } of keys)
      wanted.push({ table: pkTableName, options: pkOwner === undefined ? options : { ...options, owner: pkOwner } })
  }
  return found
}

const followsRelations = ({ relations, associations }: Options): boolean => Boolean(relations ?? associations)

/** What models do not declare is not a property. */
async function declaredColumns(discovery: Discovery, table: string, options: Options): Promise<DiscoveredColumn[]> {
  const columns = await discovery.listColumns(table, placeOf(options))
  return columns.filter(({ columnName }) => columnName !== discovery.undeclaredColumn)
}

async function columnsOf(discovery: Discovery, table: string, options: Options): Promise<readonly DiscoveredColumn[]> {
  const columns = await declaredColumns(discovery, table, options)
  if (columns.length === 0) throw new ScriptArgumentInvalid(`the table "${table}" does not exist`)
  return columns
}

async function describeTable(discovery: Discovery, table: string, options: Options): Promise<Schema> {
  const columns = await columnsOf(discovery, table, options)
  const keys = await discovery.listPrimaryKeys(table, placeOf(options))
  const mapName = mapperOf(options)
  const mapping = discovery.mappingKey
  const properties = columns.map((column) => {
    const { columnName, dataType, dataLength, dataPrecision, dataScale, nullable, generated } = propertyRow(column)
    const key = keys.find((each) => each.columnName === columnName)
    const property = {
      type: propertyRow(column).type,
      required: nullable === 'N' && !(key !== undefined && generated !== false),
      length: dataLength,
      precision: dataPrecision,
      scale: dataScale,
      ...(key && { id: key.keySeq }),
      ...(key && generated !== false && { generated }),
      [mapping]: { columnName, dataType, dataLength, dataPrecision, dataScale, nullable }
    }
    return [mapName('column', columnName), withoutNulls(property)] as const
  })
  const owner = columns[0]?.owner
  const relations = followsRelations(options) ? await describeRelations(discovery, table, options) : undefined
  const modelOptions = { idInjection: false, [mapping]: { ...(owner !== undefined && { schema: owner }), table } }
  return {
    name: mapName('table', table),
    options: { ...modelOptions, ...(relations && { relations }) },
    properties: Object.fromEntries(properties)
  }
}

/** Null lengths are left out. */
function withoutNulls(property: Options): Record<string, unknown> {
  return Object.fromEntries(Object.entries(property).filter(([, value]) => value !== null))
}

async function describeRelations(discovery: Discovery, table: string, options: Options): Promise<Options> {
  const mapName = mapperOf(options)
  const keys = await discovery.listForeignKeys(table, placeOf(options))
  return Object.fromEntries(
    keys.map(({ fkName, fkColumnName, pkTableName }) => [
      // SQLite's foreign keys have numbers for names.
      mapName('fk', /^\d+$/.test(fkName) ? pkTableName : fkName),
      { model: mapName('table', pkTableName), type: 'belongsTo', foreignKey: mapName('column', fkColumnName) }
    ])
  )
}

/** LB3: `nameMapper: null` leaves names as they are; without one, `order_item` is `OrderItem` or `orderItem`. */
function mapperOf({ nameMapper }: Options): Mapper {
  if (nameMapper === null) return (_kind, name) => name
  if (isFunction(nameMapper)) return (kind, name) => String(nameMapper(kind, name))
  return (kind, name) => {
    if (kind === 'table' || kind === 'model') return conventionalName(name, false)
    return conventionalName(kind === 'fk' ? `${name}Rel` : name, true)
  }
}

function conventionalName(name: string, startsLow: boolean): string {
  const words = name.split(/[-_]/).map((word, at) => (at === 0 && startsLow ? word.toLowerCase() : capital(word)))
  return words.join('')
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()

/** Defines and attaches the models; one that is defined already stays what it is. */
function buildModels(
  registry: ModelRegistry,
  dataSource: DataSource,
  schemas: readonly Schema[],
  { base }: Options
): Record<string, unknown> {
  for (const { name, options, properties } of schemas) {
    if (registry.find(name) !== undefined) continue
    const definition = { name, ...(typeof base === 'string' && { base }), ...options, properties }
    attachScriptModel(registry, registry.define(definition).modelType, dataSource.name)
  }
  return Object.fromEntries(schemas.map(({ name }) => [name, registry.get(name)]))
}
