import type {
  DiscoveredColumn,
  DiscoveredForeignKey,
  DiscoveredPrimaryKey,
  DiscoverOptions,
  ModelDefinition
} from '@modelwire/core'
import type { SqlDialect } from '../dialect.ts'
import { defaultUndeclaredColumn } from '../table/undeclared.ts'
import type { TableName } from './catalog-dialect.ts'
import { usualName } from './name-of.ts'
import { propertyNames } from './property-names.ts'
import { readColumns, readForeignKeys, readIndexes, type CatalogContext, type CatalogIndex } from './read-catalog.ts'

/** Everything that a model is made of. */
interface Facts {
  readonly dialect: SqlDialect
  readonly table: TableName
  readonly columns: readonly DiscoveredColumn[]
  readonly keys: readonly DiscoveredPrimaryKey[]
  readonly foreignKeys: readonly DiscoveredForeignKey[]
  readonly indexes: readonly CatalogIndex[]
  /** The schema of tables whose model names none. */
  readonly defaultSchema: string | undefined
  readonly nameOf: NonNullable<DiscoverOptions['nameOf']>
  /** The property of a column of this table. */
  readonly propertyOf: (column: string) => string
}

/** Where a model is discovered, and how it is named. */
export interface DiscoverPlace {
  readonly defaultSchema: string | undefined
  readonly nameOf?: DiscoverOptions['nameOf']
}

/** The definition of a model for a table; undefined when there is no such table. */
export async function discoverModel(
  context: CatalogContext,
  table: TableName,
  { defaultSchema, nameOf = usualName }: DiscoverPlace
): Promise<ModelDefinition | undefined> {
  const foreignKeys = await readForeignKeys(context, table)
  // MySQL makes an index of its own for each foreign key.
  const indexes = (await readIndexes(context, table)).filter(({ name }) =>
    foreignKeys.every(({ fkName }) => fkName !== name)
  )
  const { columns, keys } = await readColumns(context, table)
  if (columns.length === 0) return undefined
  const { dialect } = context
  const names = propertyNames(
    columns.map(({ columnName }) => columnName),
    nameOf
  )
  const propertyOf = (column: string): string => names.get(column) ?? nameOf('property', column)
  return describeModel({ dialect, table, columns, keys, foreignKeys, indexes, defaultSchema, nameOf, propertyOf })
}

function describeModel(facts: Facts): ModelDefinition {
  const { table, columns, nameOf, propertyOf, foreignKeys } = facts
  const declared = columns.filter(({ columnName }) => columnName !== defaultUndeclaredColumn)
  const single = singleColumnKeys(foreignKeys)
  const indexes = describeIndexes(facts)
  return {
    name: nameOf('model', table.name),
    ...tableMapping(facts),
    // A table that cannot hold what is not declared has a model that refuses it.
    ...(declared.length === columns.length && { strict: true }),
    idInjection: false,
    properties: Object.fromEntries(
      declared.map((column) => [propertyOf(column.columnName), describeProperty(facts, column)])
    ),
    ...(single.length > 0 && { relations: describeRelations(facts, single), foreignKeys: describeKeys(facts, single) }),
    ...(Object.keys(indexes).length > 0 && { indexes })
  }
}

function tableMapping({ dialect, table, defaultSchema, nameOf }: Facts): Record<string, unknown> {
  const mapping = {
    ...(table.schema !== defaultSchema && { schema: table.schema }),
    ...(dialect.defaultName(nameOf('model', table.name)) !== table.name && { tableName: table.name })
  }
  return Object.keys(mapping).length === 0 ? {} : { [dialect.mappingKeys[0] ?? dialect.name]: mapping }
}

function describeProperty(facts: Facts, column: DiscoveredColumn): { type: string } & Record<string, unknown> {
  const { keys, indexes, dialect } = facts
  const key = keys.find(({ columnName }) => columnName === column.columnName)
  const own = indexes.filter(({ columns }) => columns.length === 1 && columns[0] === column.columnName)
  const isUnique = own.some(({ unique }) => unique)
  const mapping = columnMapping(facts, column)
  return {
    type: column.type,
    ...(key && { id: keys.length === 1 ? true : key.keySeq }),
    ...(key && column.generated !== false && { generated: column.generated }),
    ...(column.nullable === 'N' && key === undefined && { required: true }),
    ...(isUnique && { unique: true }),
    ...(!isUnique && own.length > 0 && { index: true }),
    ...(Object.keys(mapping).length > 0 && { [dialect.mappingKeys[0] ?? dialect.name]: mapping }),
    ...lengthOf(facts, column)
  }
}

/** What `dataType` of a mapping may be: whatever else a column has, a migration cannot make. */
const writable = /^[a-z][a-z0-9_ ]*(\([0-9, ]+\))?[a-z ]*$/i

function columnMapping(facts: Facts, column: DiscoveredColumn): Record<string, unknown> {
  const { dialect, propertyOf } = facts
  const { columnName, dataType, dataLength, dataPrecision, dataScale, generated } = column
  const isPlain = isUsual(facts, column) || generated !== false || !writable.test(dataType)
  return {
    ...(dialect.defaultName(propertyOf(columnName)) !== columnName && { columnName }),
    ...(!isPlain && { dataType }),
    ...(!isPlain && dataLength !== null && { dataLength }),
    ...(!isPlain && dataPrecision !== null && { dataPrecision, dataScale: dataScale ?? 0 })
  }
}

function lengthOf(facts: Facts, column: DiscoveredColumn): { length?: number } {
  const { dataLength } = column
  if (dataLength === null || !isUsual(facts, column)) return {}
  return isKey(facts, column) && dataLength === facts.dialect.catalog.keyLength ? {} : { length: dataLength }
}

function isUsual(facts: Facts, column: DiscoveredColumn): boolean {
  const { dataType: name, dataLength: length, type } = column
  return facts.dialect.catalog.isUsual({ name, length, isKey: isKey(facts, column) }, type)
}

function isKey({ indexes, foreignKeys, keys }: Facts, { columnName }: DiscoveredColumn): boolean {
  return (
    indexes.some(({ columns }) => columns.includes(columnName)) ||
    foreignKeys.some(({ fkColumnName }) => fkColumnName === columnName) ||
    keys.some((key) => key.columnName === columnName)
  )
}

function describeIndexes({ indexes, propertyOf }: Facts): Record<string, unknown> {
  const several = indexes.filter(({ columns }) => columns.length > 1)
  return Object.fromEntries(
    several.map(({ name, columns, unique }) => {
      const keys = Object.fromEntries(columns.map((column) => [propertyOf(column), 1]))
      return [name, { keys, ...(unique && { options: { unique: true } }) }]
    })
  )
}

/** Keys of several columns lead to models with several ids, to which no relation leads. */
function singleColumnKeys(foreignKeys: readonly DiscoveredForeignKey[]): readonly DiscoveredForeignKey[] {
  return foreignKeys.filter((key) => foreignKeys.every((other) => other === key || other.fkName !== key.fkName))
}

function describeRelations(
  facts: Facts,
  keys: readonly DiscoveredForeignKey[]
): Record<string, { type: string } & Record<string, unknown>> {
  const { columns, nameOf, propertyOf } = facts
  const taken = new Set(columns.map(({ columnName }) => propertyOf(columnName)))
  const relations: Record<string, { type: string } & Record<string, unknown>> = {}
  for (const key of keys) {
    const { fkColumnName, pkTableName } = key
    const [foreignKey, primaryKey] = [propertyOf(fkColumnName), targetOf(facts, key)]
    const model = nameOf('model', pkTableName)
    const candidates = [
      nameOf('relation', fkColumnName.replace(/[_-]?id$/i, '')),
      nameOf('relation', pkTableName),
      `${foreignKey}Rel`
    ]
    const name = candidates.find((each) => each !== '' && !taken.has(each)) ?? `${foreignKey}Relation`
    taken.add(name)
    relations[name] = { type: 'belongsTo', model, foreignKey, primaryKey }
  }
  return relations
}

/** The property that a key leads to. Of other tables only the names of some columns are known. */
function targetOf({ nameOf, propertyOf, table }: Facts, { pkTableName, pkColumnName }: DiscoveredForeignKey): string {
  const column = pkColumnName || 'id'
  return pkTableName === table.name ? propertyOf(column) : nameOf('property', column)
}

function describeKeys(facts: Facts, keys: readonly DiscoveredForeignKey[]): Record<string, unknown> {
  const { nameOf, propertyOf, table } = facts
  return Object.fromEntries(
    keys.map((foreign) => {
      const { fkName, fkColumnName, pkTableName, onDelete } = foreign
      // SQLite's foreign keys have numbers for names.
      const name = /^\d+$/.test(fkName) ? `${table.name}_${fkColumnName}_fkey` : fkName
      const key = {
        entity: nameOf('model', pkTableName),
        entityKey: targetOf(facts, foreign),
        foreignKey: propertyOf(fkColumnName),
        ...(onDelete !== undefined && { onDelete })
      }
      return [name, key]
    })
  )
}
