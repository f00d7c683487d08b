import type { SqlDialect } from '../dialect/dialect.ts'
import { type Sql, sql } from '../sql.ts'
import { type Column, isRequired, isMadeByDatabase } from '../table/column.ts'
import { writeType } from '../table/column-types.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { columnDefault, constantDefault } from './column-default.ts'
import { checksOf, defineCheck } from '../dialect/table-checks.ts'
import type { ForeignKeyPlace, TableForeignKey } from './foreign-keys.ts'
import { indexesOf, type TableIndex } from '../table/table-indexes.ts'

/** The inputs for creating a table. */
export interface TableDesign {
  readonly dialect: SqlDialect
  readonly table: SqlTable
  readonly foreignKeys: readonly TableForeignKey[]
  /** The table of a model in the same database; undefined for other models. */
  readonly tableOf: ForeignKeyPlace['tableOf']
  /** The same table as other models map it. */
  readonly siblings: readonly SqlTable[]
  /** The collation that the column of a foreign key must be given; undefined if it already has the right one. */
  readonly collationOf?: ((key: TableForeignKey) => string | undefined) | undefined
}

/** `create table …`, with the foreign keys if the database does not accept them elsewhere. */
export function createTable(design: TableDesign, options: string): Sql {
  const { dialect, table, foreignKeys } = design
  const columns = table.columns.map((column) => defineColumn(design, column))
  const keys = primaryKey(design)
  const [only] = keys
  const isMade = keys.length === 1 && only !== undefined && isMadeByDatabase(only)
  const primary = isMade || keys.length === 0 ? [] : [sql`primary key (${sql.join(keys.map((key) => key.sql))})`]
  const inside = dialect.schema.addsForeignKeys ? [] : foreignKeys.map(defineForeignKey)
  const checks = checksOf(dialect, table, design.siblings).checks.map(defineCheck)
  const parts = sql.join([...columns, ...primary, ...inside, ...checks])
  return sql`create table ${table.sql} (${parts}) ${sql.raw(options)}`
}

/** The columns of the primary key: in a distributed table, they must include the distribution column. */
export function primaryKey({ dialect, table }: Pick<TableDesign, 'dialect' | 'table'>): readonly Column[] {
  const ids = table.key.length > 1 ? table.key : table.columns.filter(({ property }) => property.id)
  const by = dialect.schema.distribute && table.distributedBy
  return by === undefined || ids.length === 0 || ids.includes(by) ? ids : [by, ...ids]
}

function defineColumn(design: TableDesign, column: Column): Sql {
  const { dialect } = design
  if (isMadeByDatabase(column)) {
    const { alone, inKey = alone } = dialect.schema.generatedId(column)
    return sql`${column.sql} ${sql.raw(primaryKey(design).length > 1 ? inKey : alone)}`
  }
  const literal = agreedDefault(design, column)
  const type = sql`${columnType(design, column)}${collate(design, column)}`
  const rest = `${isNotNull(design, column) ? ' not null' : ''}${literal === undefined ? '' : ` default ${literal}`}`
  return sql`${column.sql} ${type}${sql.raw(rest)}`
}

/** The constant default of a column as a literal; undefined if there is none, or models that share the table do not agree on it. */
export function agreedDefault(design: TableDesign, column: Column): string | undefined {
  const { dialect, siblings } = design
  const literal = constantDefault(design, column, typeText(design, column))
  const isShared = siblings.every((table) => {
    const other = columnIn(dialect, table, column)
    return (
      other === undefined ||
      constantDefault({ dialect, table }, other, typeText({ ...design, table }, other)) === literal
    )
  })
  return isShared ? literal : undefined
}

/** The column of the same name as another model has it. */
function columnIn({ schema }: SqlDialect, { columns }: SqlTable, { name }: Column): Column | undefined {
  return columns.find((each) => schema.names.fold(each.name) === schema.names.fold(name))
}

/** Every record has a value, whichever model of the table wrote it. */
export function isNotNull({ dialect, table, siblings }: TableDesign, column: Column): boolean {
  if (column.property.id || primaryKey({ dialect, table }).includes(column)) return true
  const others = siblings.map((other) => columnIn(dialect, other, column))
  return isRequired(column) && others.every((other) => other !== undefined && isRequired(other))
}

/** How to add a column to a table with records. */
export interface AddedColumn {
  readonly statements: readonly Sql[]
  /** The column is not null. */
  readonly isRequired: boolean
  /** Records that are there have a value. */
  readonly isFilled: boolean
}

/**
 * Adds a column. Existing rows get the default of the property, unless the model leaves them as they are. Without one they
 * have no value, so that the column is nullable even if the model requires a value.
 */
export function addColumn(design: TableDesign, column: Column): AddedColumn {
  const { table } = design
  const type = columnTypeText(design, column)
  const add = sql`alter table ${table.sql} add column ${column.sql} ${sql.raw(type)}${collate(design, column)}`
  const isLeft = !column.property.required && table.model.definition.applyDefaultsOnReads === false
  const { literal, value } = isLeft ? {} : columnDefault(design, column, type)
  if (literal !== undefined) {
    const isNeeded = isNotNull(design, column)
    return {
      statements: [sql`${add}${sql.raw(isNeeded ? ' not null' : '')} default ${sql.raw(literal)}`],
      isRequired: isNeeded,
      isFilled: true
    }
  }
  const fill =
    value === undefined ? [] : [sql`update ${table.sql} set ${column.sql} = ${value} where ${column.sql} is null`]
  return { statements: [add, ...fill], isRequired: false, isFilled: value !== undefined || isLeft }
}

/** Databases that compare texts by collations take both columns of a foreign key in one alone. */
function collate({ foreignKeys, collationOf }: TableDesign, column: Column): Sql {
  const key = foreignKeys.find((each) => each.column === column && column.kind === 'text')
  const collation = key && collationOf?.(key)
  return collation === undefined ? sql`` : sql.raw(` collate ${collation}`)
}

/** The type of a column in SQL. */
export function typeText(design: TableDesign, column: Column): string {
  if (isMadeByDatabase(column)) return design.dialect.schema.generatedId(column).type
  return columnTypeText(design, column)
}

/** The type of a column. One that refers to another has the type of that one. */
function columnType(design: TableDesign, column: Column): Sql {
  // The pattern of `dataType` in the mapping lets nothing but a type's name and its lengths pass.
  return sql.raw(columnTypeText(design, column))
}

function columnTypeText(design: TableDesign, column: Column): string {
  const { dialect, table, foreignKeys } = design
  const referred = foreignKeys.find((key) => key.column === column)?.targetColumn ?? countedId(design, column)
  const isKey = column.property.id || referred !== undefined || indexedColumns(table).has(column)
  return writtenType(dialect, column) ?? typeOf(dialect, referred ?? column, isKey)
}

/** The id that the key of a relation holds, where the database counts it. Other ids have the type of their keys anyway. */
function countedId({ dialect, tableOf }: TableDesign, { kind, property }: Column): Column | undefined {
  const { refersTo } = property.definition
  if (dialect.schema.sharesKeyTypes !== true || refersTo === undefined || kind !== 'number') return undefined
  const target = tableOf(refersTo.model)?.byProperty.get(refersTo.property)
  return target !== undefined && isMadeByDatabase(target) ? target : undefined
}

function typeOf(dialect: SqlDialect, column: Column, isKey: boolean): string {
  if (isMadeByDatabase(column)) return dialect.schema.generatedId(column).type
  return writtenType(dialect, column) ?? madeType(dialect, column, isKey)
}

/** The type that a property has without one in the model file. */
function madeType({ types }: SqlDialect, { property, kind, mapping }: Column, isKey: boolean): string {
  const length = mapping.dataLength ?? property.definition.length ?? (isKey ? types.keyLength : undefined)
  const isCounted = kind === 'text' && /^[1-9][0-9]*$/.test(String(length ?? ''))
  const counted = isCounted ? types.madeFor('counted') : undefined
  const type = counted ?? types.madeFor(property.type.kind === 'integer' ? 'integer' : kind)
  if (type === undefined) throw new TypeError(`the database has no type for ${kind}`)
  return writeType(type, length)
}

/** The type that the model file names, with its length or its precision. */
function writtenType({ types }: SqlDialect, { mapping }: Column): string | undefined {
  const { dataType, dataLength, dataPrecision, dataScale } = mapping
  if (dataType === undefined || dataType.includes('(')) return dataType
  const size = dataLength ?? (dataPrecision !== undefined && [dataPrecision, dataScale ?? 0].join(', '))
  const written = size === false ? (types.of(dataType).size ?? '') : `(${size})`
  return dataType.replace(/(?: (?:with|unsigned|zerofill)\b.*|(?:\[\])+)?$/i, (rest) => `${written}${rest}`)
}

/** `create index …`. `how` follows the keyword; `typeOf` returns the types of the columns in the database. */
export function createIndex(
  dialect: SqlDialect,
  table: SqlTable,
  { name, parts, unique }: TableIndex,
  { typeOf: typeIn, how = sql`` }: { typeOf: (column: Column) => string; how?: Sql | undefined }
): Sql {
  const columns = parts.map(({ column, descending }) =>
    dialect.schema.indexColumn(column, descending, { type: typeIn(column), unique })
  )
  const kind = unique ? sql`create unique index${how}` : sql`create index${how}`
  return dialect.schema.placeIndex(kind, name, table, sql.join(columns))
}

/** `constraint … foreign key …`, as in `create table` and `alter table … add`. */
export function defineForeignKey({ name, column, target, targetColumn, actions }: TableForeignKey): Sql {
  return sql`constraint ${sql.id(name)} foreign key (${column.sql}) references ${target.sql} (${targetColumn.sql}) ${sql.raw(actions)}`
}

function indexedColumns(table: SqlTable): ReadonlySet<Column> {
  return new Set(indexesOf(table).flatMap(({ parts }) => parts.map(({ column }) => column)))
}

/** The names of an index's columns, separated by commas. */
export function columnsOf({ parts }: TableIndex): string {
  return parts.map(({ column }) => column.name).join(',')
}
