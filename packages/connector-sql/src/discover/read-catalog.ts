import type {
  DiscoveredColumn,
  DiscoveredForeignKey,
  DiscoveredPrimaryKey,
  DiscoveredTable
} from '@modelwire/core/connector'
import type { SqlDialect, TableName } from '../dialect/dialect.ts'
import { readWords } from '../table/stored-columns.ts'
import { discoveredType } from '../table/column-types.ts'
import type { Runner } from '../statement/run-statement.ts'
import type { RawRow } from '../sql.ts'

/** The context for reading the catalog. */
export interface CatalogContext {
  readonly dialect: SqlDialect
  readonly runner: Runner
}

/** An index of a table. */
export interface CatalogIndex {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
}

/** The tables of a schema, and its views on request. */
export async function readTables(
  { dialect, runner }: CatalogContext,
  schema: string | undefined,
  views: boolean
): Promise<DiscoveredTable[]> {
  const { rows } = await runner.run(dialect.catalog.listTables(schema, views), {})
  return rows.map((row) => ({
    type: row['type'] === 'view' ? 'view' : 'table',
    name: String(row['name']),
    owner: textOf(row['owner'])
  }))
}

/** The columns of a table in order, and its primary key; none if the table does not exist. */
export async function readColumns(
  context: CatalogContext,
  table: TableName
): Promise<{ columns: DiscoveredColumn[]; keys: DiscoveredPrimaryKey[] }> {
  const { dialect, runner } = context
  const { rows } = await runner.run(dialect.catalog.describeColumns(table), {})
  const columns = rows.map((row) => readColumn(context, table, row))
  const keys = rows.filter((row) => Number(row['key_position'] ?? 0) > 0).map((row) => readKey(table, row))
  return { columns, keys: keys.toSorted((a, b) => a.keySeq - b.keySeq) }
}

function readColumn(
  { dialect }: CatalogContext,
  { name: tableName, schema: owner }: TableName,
  row: RawRow
): DiscoveredColumn {
  const columnName = String(row['name'])
  const dataLength = numberOf(row['length'])
  const dataType = String(row['data_type']).toLowerCase()
  const words = readWords(row['words'])
  return {
    owner,
    tableName,
    columnName,
    dataType,
    dataLength,
    dataPrecision: numberOf(row['num_precision']),
    dataScale: numberOf(row['num_scale']),
    nullable: isTrue(row['nullable']) ? 'Y' : 'N',
    type: discoveredType(dialect.types.of(dataType)),
    ...(words && { words }),
    ...(isTrue(row['is_computed']) && { computed: true }),
    ...(isTrue(row['has_default']) && { hasDefault: true }),
    generated: isTrue(row['is_identity']) ? 'identity' : isTrue(row['is_generated'])
  }
}

function readKey({ name: tableName, schema: owner }: TableName, row: RawRow): DiscoveredPrimaryKey {
  const [columnName, pkName] = [String(row['name']), String(row['key_name'] ?? 'PRIMARY')]
  return { owner, tableName, columnName, keySeq: Number(row['key_position']), pkName }
}

/** The foreign keys of a table, one row per column. */
export async function readForeignKeys(
  { dialect, runner }: CatalogContext,
  table: TableName
): Promise<DiscoveredForeignKey[]> {
  const { rows } = await runner.run(dialect.catalog.listForeignKeys(table), {})
  const seen = new Map<string, number>()
  return rows.map((row) => {
    const fkName = String(row['name'])
    const keySeq = (seen.get(fkName) ?? 0) + 1
    seen.set(fkName, keySeq)
    const onDelete = String(row['on_delete'] ?? '').toLowerCase()
    return {
      fkName,
      fkOwner: table.schema,
      fkTableName: table.name,
      fkColumnName: String(row['column_name']),
      keySeq,
      pkOwner: textOf(row['target_schema']),
      pkTableName: String(row['target']),
      pkColumnName: String(row['target_column'] ?? ''),
      onDelete: ['', 'no action', 'restrict'].includes(onDelete) ? undefined : onDelete
    }
  })
}

/** The indexes of a table, except that of its primary key. */
export async function readIndexes({ dialect, runner }: CatalogContext, table: TableName): Promise<CatalogIndex[]> {
  const { rows } = await runner.run(dialect.catalog.listIndexes(table), {})
  return rows
    .filter((row) => !isTrue(row['is_primary']) && isTrue(row['is_plain']))
    .map((row) => ({
      name: String(row['name']),
      columns: String(row['columns']).split(','),
      unique: isTrue(row['is_unique'])
    }))
}

function isTrue(value: unknown): boolean {
  return Number(value ?? 0) === 1
}

function numberOf(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
