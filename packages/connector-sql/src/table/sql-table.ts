import type { ModelType, PropertyType } from '@modelwire/core'
import { sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'
import type { Sql } from '../sql.ts'
import { columnKindOf, type ColumnKind } from './column-kind.ts'
import { readMapping, type Mapping } from './read-mapping.ts'

/** A property and the column that holds it. */
export interface Column {
  readonly property: PropertyType
  /** The column's name in the database. */
  readonly name: string
  readonly kind: ColumnKind
  /** Texts of this column are compared by their codes. False for types such as uuid, which have no collation. */
  readonly isText: boolean
  /** What the model says about the column: `dataType`, `dataLength`, `nullable`, … */
  readonly mapping: Mapping
  /** The quoted name. */
  readonly sql: Sql
}

/** The table of one model. */
export interface SqlTable {
  readonly model: ModelType
  readonly schema: string | undefined
  /** The table's name in the database. */
  readonly name: string
  /** The model's properties that the columns were made from. */
  readonly properties: readonly PropertyType[]
  readonly columns: readonly Column[]
  readonly byProperty: ReadonlyMap<string, Column>
  readonly id: Column | undefined
  /** The quoted name, with the schema's. */
  readonly sql: Sql
}

/**
 * The table that a model is mapped to: names and types from its `postgresql` (or `mysql`, `sqlite3`) settings, the
 * dialect's own names where it has none.
 * @see LoopBack 3: loopback-connector, lib/sql.js, table, column, schema
 */
export function createSqlTable(model: ModelType, dialect: SqlDialect, defaultSchema: string | undefined): SqlTable {
  const { options } = model.definition
  const mapping = readMapping(dialect, model.definition, typeof options === 'object' ? options : {})
  const name = mapping.tableName ?? mapping.table ?? dialect.defaultName(model.name)
  const schema = mapping.schema ?? defaultSchema
  const columns = model.properties.map((property) => createColumn(property, dialect))
  return {
    model,
    schema,
    name,
    properties: model.properties,
    columns,
    byProperty: new Map(columns.map((column) => [column.property.name, column])),
    id: columns.find(({ property }) => property.id),
    sql: schema === undefined ? sql.id(name) : sql.id(schema, name)
  }
}

function createColumn(property: PropertyType, dialect: SqlDialect): Column {
  const mapping = readMapping(dialect, property.definition, {})
  const name = mapping.columnName ?? mapping.column ?? dialect.defaultName(property.name)
  const kind = columnKindOf(property.type)
  const isText = kind === 'text' && /char|text|string|clob|^$/i.test(mapping.dataType ?? '')
  return { property, name, kind, isText, mapping, sql: sql.id(name) }
}
