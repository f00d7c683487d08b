import { InvalidDefinition, type ModelType, type PropertyType } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'
import type { Column } from './column.ts'
import { checkNames } from './check-names.ts'
import { columnKindOf, type ColumnKind } from './column-kind.ts'
import { type ExactType, exactType } from './exact-type.ts'
import { readMapping } from './read-mapping.ts'
import { defaultUndeclaredColumn, undeclaredColumn } from './undeclared.ts'

/** The table of one model. */
export interface SqlTable {
  readonly model: ModelType
  readonly schema: string | undefined
  /** The table's name in the database. */
  readonly name: string
  /** The model's properties that the columns were made from. */
  readonly properties: readonly PropertyType[]
  /** Those of the declared properties, then the one of undeclared ones where there is one. */
  readonly columns: readonly Column[]
  /** The column of undeclared properties. */
  readonly undeclared: Column | undefined
  readonly byProperty: ReadonlyMap<string, Column>
  readonly id: Column | undefined
  /** The column by whose values a cluster distributes the records; undefined where the model names none. */
  readonly distributedBy?: Column | undefined
  /** The quoted name, with the schema's. */
  readonly sql: Sql
}

/** The settings of the data source about tables. */
export interface TablePlace {
  /** The schema of tables whose model names none. */
  readonly schema: string | undefined
  readonly keepsUndeclared: boolean
}

/**
 * The table that a model is mapped to: names and types from its `postgresql` (or `mysql`, `sqlite3`) settings, the
 * dialect's own names where it has none. `keepsUndeclared`: an open model has a column for what it does not declare.
 * @throws {InvalidDefinition} that column is one of a declared property, too, or a name is longer than the database's are
 * @see LoopBack 3: loopback-connector, lib/sql.js, table, column, schema
 */
export function createSqlTable(
  model: ModelType,
  dialect: SqlDialect,
  { schema: defaultSchema, keepsUndeclared }: TablePlace
): SqlTable {
  const { options } = model.definition
  const mapping = readMapping(dialect, model.definition, typeof options === 'object' ? options : {})
  const name = mapping.tableName ?? mapping.table ?? dialect.defaultName(model.name)
  const schema = mapping.schema ?? defaultSchema
  const declared = model.properties.map((property) => createColumn(property, dialect))
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
    id: declared.find(({ property }) => property.id),
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
  throw new InvalidDefinition(`the column "${name}" holds undeclared properties: give this property another one`, {
    model: model.name,
    key: `properties.${same.property.name}`
  })
}

function distributionColumn(model: ModelType, name: string, declared: ReadonlyMap<string, Column>): Column {
  const column = declared.get(name)
  if (column !== undefined) return column
  throw new InvalidDefinition(`distributeBy names a property of the model: "${name}" is none`, {
    model: model.name,
    key: 'distributeBy'
  })
}

function createColumn(property: PropertyType, dialect: SqlDialect): Column {
  const mapping = readMapping(dialect, property.definition, {})
  const name = mapping.columnName ?? mapping.column ?? dialect.defaultName(property.name)
  const exact = property.type.kind === 'integer' ? { whole: undefined, fraction: 0 } : exactType(mapping)
  const kind = kindOf(property, exact)
  const isText = kind === 'text' && /char|text|string|clob|^$/i.test(mapping.dataType ?? '')
  if (kind === 'decimal' && !dialect.holdsDecimals)
    throw new InvalidDefinition(
      'the database has no exact numbers of any length: without dataType the column holds all digits, as a text',
      { key: `properties.${property.name}` }
    )
  return { property, name, kind, isText, mapping, sql: sql.id(name), exact }
}

function kindOf({ type }: PropertyType, exact: ExactType | undefined): ColumnKind {
  const kind = columnKindOf(type)
  return kind === 'text' && type.kind !== 'dateString' && exact !== undefined ? 'decimal' : kind
}

/** The table under another name, which stands before its columns. */
export function aliasTable(table: SqlTable, alias: string): SqlTable {
  const aliased = withColumns(table, (column) => ({ ...column, sql: sql.id(alias, column.name) }))
  return { ...aliased, sql: sql`${table.sql} as ${sql.id(alias)}` }
}

/** The table with other columns in place of its own. */
export function withColumns(table: SqlTable, change: (column: Column) => Column): SqlTable {
  const columns = table.columns.map(change)
  const declared = columns.filter((column) => column.declared === undefined)
  return {
    ...table,
    columns,
    undeclared: columns.find((column) => column.declared !== undefined),
    byProperty: new Map(declared.map((column) => [column.property.name, column])),
    id: declared.find(({ property }) => property.id)
  }
}
