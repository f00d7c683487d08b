import { InvalidDefinition, type ModelType, type PropertyType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { type Sql, sql } from '../sql.ts'
import { type Column, columnKindOf, type ExactType, exactType } from './column.ts'
import { type ColumnKind, type ColumnTypes, objectAdvice } from './column-types.ts'
import { defaultUndeclaredColumn, undeclaredColumn } from './undeclared.ts'
import { readMapping } from './mapping.ts'

/** How a database names tables and columns, and which types its columns have. */
export interface TableDialect {
  /** Keys of model files that describe its tables and columns, by precedence. */
  readonly mappingKeys: readonly string[]
  /** The maximum length of names, beyond which the database would truncate them; undefined: no limit. */
  readonly longestName?: { readonly length: number; readonly unit: 'bytes' | 'characters' }
  readonly types: ColumnTypes
  /** The name of a table or column whose model does not set one. */
  defaultName: (name: string) => string
  readonly schema: {
    readonly names: {
      /** Normalizes the name of a column or index: equal names have equal results. */
      readonly fold: (name: string) => string
    }
  }
}

/** The table of one model. */
export interface SqlTable {
  readonly model: ModelType
  readonly schema: string | undefined
  /** The table's name in the database. */
  readonly name: string
  /** The model's properties from which the columns were made. */
  readonly properties: readonly PropertyType[]
  /** Those of the declared properties, followed by the one for undeclared properties, if any. */
  readonly columns: readonly Column[]
  /** The column for undeclared properties. */
  readonly undeclared: Column | undefined
  /** Those whose stored values may differ from the written ones, as answers of writes show; absent until that is known. */
  readonly changing?: readonly Column[]
  readonly byProperty: ReadonlyMap<string, Column>
  /** Undefined where several columns are the id. */
  readonly id: Column | undefined
  /** The columns that are the id, in its order. */
  readonly key: readonly Column[]
  /** Columns of the primary key in the database other than the id's; absent if there are none, or they are unknown. */
  readonly partialKey?: readonly string[] | undefined
  /** The column by whose values a cluster distributes the records; undefined if the model does not set one. */
  readonly distributedBy?: Column | undefined
  /** The quoted name, with its schema. */
  readonly sql: Sql
}

/** The settings of the data source about tables. */
export interface TablePlace {
  /** The schema of tables whose model does not name one. */
  readonly schema: string | undefined
  readonly keepsUndeclared: boolean
}

/**
 * The table of a model: names and types from its `postgresql` (or `mysql`, `sqlite3`) settings, the dialect's defaults
 * otherwise. `keepsUndeclared`: an open model has a column for undeclared properties.
 * @throws {InvalidDefinition} that column is one of a declared property, too, or a name is longer than the database's are
 * @see LoopBack 3: loopback-connector, lib/sql.js, table, column, schema
 */
export function createSqlTable(
  model: ModelType,
  dialect: TableDialect,
  { schema: defaultSchema, keepsUndeclared }: TablePlace
): SqlTable {
  const { options } = model.definition
  const mapping = readMapping(dialect, model.definition, typeof options === 'object' ? options : {}, {
    model: model.name
  })
  const name = mapping.tableName ?? mapping.table ?? dialect.defaultName(model.name)
  const schema = mapping.schema ?? defaultSchema
  const declared = model.properties.map((property) => createColumn(model, property, dialect))
  const byProperty = new Map(declared.map((column) => [column.property.name, column]))
  const { undeclaredColumn: ownName = defaultUndeclaredColumn } = mapping
  const keeps = keepsUndeclared && !model.strict && ownName !== false
  const undeclared = keeps ? ownColumn(model, ownName, byProperty) : undefined
  const table: SqlTable = {
    model,
    schema,
    name,
    properties: model.properties,
    columns: undeclared === undefined ? declared : [...declared, undeclared],
    undeclared,
    byProperty,
    ...keyOf(model, byProperty),
    distributedBy:
      mapping.distributeBy === undefined ? undefined : distributionColumn(model, mapping.distributeBy, byProperty),
    sql: schema === undefined ? sql.id(name) : sql.id(schema, name)
  }
  checkNames(dialect, table)
  return table
}

function ownColumn(model: ModelType, name: string, declared: ReadonlyMap<string, Column>): Column {
  const same = [...declared.values()].find((column) => column.name === name)
  if (same === undefined) return undeclaredColumn(name, declared)
  throw new InvalidDefinition(
    `the column "${name}" stores undeclared properties: use another column for this property`,
    {
      model: model.name,
      key: `properties.${same.property.name}`
    }
  )
}

function distributionColumn(model: ModelType, name: string, declared: ReadonlyMap<string, Column>): Column {
  const column = declared.get(name)
  if (column !== undefined) return column
  throw new InvalidDefinition(`distributeBy: unknown property "${name}"`, {
    model: model.name,
    key: 'distributeBy'
  })
}

function createColumn({ name: model }: ModelType, property: PropertyType, dialect: TableDialect): Column {
  const mapping = readMapping(dialect, property.definition, {}, { model, property: property.name })
  const name = mapping.columnName ?? mapping.column ?? dialect.defaultName(property.name)
  const { types } = dialect
  const named = mapping.dataType === undefined ? undefined : types.of(mapping.dataType)
  const isWhole = property.type.kind === 'integer'
  const exact = isWhole ? { whole: undefined, fraction: 0 } : named && exactType(named, mapping)
  const kind = kindOf(property, exact)
  const type = named ?? types.madeFor(isWhole ? 'integer' : kind)
  const isText = kind === 'text' && type?.isText === true
  if (kind === 'text' && named?.holdsObjects === true)
    throw new InvalidDefinition(`the column's type is ${mapping.dataType}, which holds no strings: ${objectAdvice}`, {
      model,
      key: `properties.${property.name}`
    })
  if (kind === 'decimal' && types.madeFor('decimal') === undefined)
    throw new InvalidDefinition(
      'the database has no exact numbers of arbitrary length: without dataType the column stores all digits as a string',
      { model, key: `properties.${property.name}` }
    )
  return { property, name, kind, type, isText, mapping, sql: sql.id(name), exact }
}

function kindOf({ type }: PropertyType, exact: ExactType | undefined): ColumnKind {
  const kind = columnKindOf(type)
  return kind === 'text' && type.kind !== 'dateString' && exact !== undefined ? 'decimal' : kind
}

/** The table with an alias that qualifies its columns. */
export function aliasTable(table: SqlTable, alias: string): SqlTable {
  const aliased = withColumns(table, (column) => ({ ...column, sql: sql.id(alias, column.name) }))
  return { ...aliased, sql: sql`${table.sql} as ${sql.id(alias)}` }
}

/** The table with other columns. */
export function withColumns(table: SqlTable, change: (column: Column) => Column): SqlTable {
  const columns = table.columns.map(change)
  const declared = columns.filter((column) => column.declared === undefined)
  const byProperty = new Map(declared.map((column) => [column.property.name, column]))
  return {
    ...table,
    columns,
    undeclared: columns.find((column) => column.declared !== undefined),
    byProperty,
    ...keyOf(table.model, byProperty)
  }
}

function keyOf({ key: parts }: ModelType, columns: ReadonlyMap<string, Column>): Pick<SqlTable, 'id' | 'key'> {
  const key = parts.map(({ name }) => columns.get(name)).filter((column) => column !== undefined)
  return { id: key.length === 1 ? key[0] : undefined, key }
}

/**
 * Refuses names that the database would cut (of the table, its schema and columns, and of the indexes and foreign keys that the model
 * names), and two properties whose columns are one.
 * @throws {InvalidDefinition} a name is too long, or a column is that of two properties
 */
function checkNames(dialect: TableDialect, table: SqlTable): void {
  checkLengths(dialect, table)
  const names = new Map<string, string>()
  for (const { name, property } of table.columns) {
    const key = dialect.schema.names.fold(name)
    const other = names.get(key)
    if (other !== undefined)
      throw new InvalidDefinition(`the column "${name}" already belongs to the property "${other}"`, {
        model: table.model.name,
        key: `properties.${property.name}`
      })
    names.set(key, property.name)
  }
}

function checkLengths({ longestName }: TableDialect, table: SqlTable): void {
  if (longestName === undefined) return
  const { length, unit } = longestName
  const { model, columns, name, schema } = table
  const named = ['indexes', 'foreignKeys'].flatMap((key) => {
    const written = model.definition[key]
    if (!isPlainObject(written)) return []
    return Object.entries(written).map(([each, value]) => [nameOf(value) ?? each, `${key}.${each}`] as const)
  })
  const all = [
    [name, 'name'] as const,
    [schema ?? '', 'schema'] as const,
    ...columns.map((column) => [column.name, `properties.${column.property.name}`] as const),
    ...named
  ]
  const wrong = all.find(([each]) => (unit === 'bytes' ? Buffer.byteLength(each) : each.length) > length)
  if (wrong === undefined) return
  throw new InvalidDefinition(
    `the name "${wrong[0]}" has more than ${length} ${unit}, which the database would truncate`,
    {
      model: model.name,
      key: wrong[1]
    }
  )
}

/** A foreign key may have another name than that of its key. */
function nameOf(value: unknown): string | undefined {
  return isPlainObject(value) && typeof value['name'] === 'string' ? value['name'] : undefined
}
