import { type CatalogDialect, type CatalogType, sql } from '@modelwire/connector-sql'

const propertyTypes: readonly (readonly [RegExp, string])[] = [
  [/^bool/, 'boolean'],
  [/^bigint$/, 'integer'],
  [/^(?:smallint|integer|numeric|decimal|real|double precision|float|money)/, 'number'],
  [/^(?:timestamp|date)/, 'date'],
  [/^bytea$/, 'buffer'],
  [/^point$/, 'geopoint'],
  [/^(?:json|jsonb|array)$/, 'any']
]

/** What a migration makes where no `dataType` is said. */
const defaultTypes: ReadonlyMap<string, string> = new Map([
  ['text', 'string'],
  ['character varying', 'string'],
  ['double precision', 'number'],
  ['bigint', 'integer'],
  ['boolean', 'boolean'],
  ['timestamp with time zone', 'date'],
  ['bytea', 'buffer'],
  ['point', 'geopoint'],
  ['jsonb', 'any']
])

/** How PostgreSQL's catalog is read. */
export const postgresqlCatalog: CatalogDialect = {
  listTables: (schema, views) => sql`
    select table_name as name, table_schema as owner, case table_type when 'VIEW' then 'view' else 'table' end as type
    from information_schema.tables
    where table_schema = ${schema} and table_name <> 'modelwire_migration' and (table_type = 'BASE TABLE' or (${views} and table_type = 'VIEW'))
    order by table_name`,
  describeColumns: ({ name, schema }) => sql`
    select c.column_name as name, case c.data_type when 'USER-DEFINED' then c.udt_name else c.data_type end as data_type,
      c.character_maximum_length as length,
      case c.data_type when 'numeric' then c.numeric_precision end as num_precision,
      case c.data_type when 'numeric' then c.numeric_scale end as num_scale,
      case c.is_nullable when 'YES' then 1 else 0 end as nullable,
      case when c.is_identity = 'YES' or c.column_default like 'nextval(%' then 1 else 0 end as is_generated,
      case c.is_identity when 'YES' then 1 else 0 end as is_identity,
      k.position as key_position, k.name as key_name
    from information_schema.columns c
    left join (
      select a.attname, u.place as position, x.relname as name
      from pg_index i
      join pg_class t on t.oid = i.indrelid
      join pg_namespace n on n.oid = t.relnamespace
      join pg_class x on x.oid = i.indexrelid
      cross join unnest(i.indkey::smallint[]) with ordinality as u(number, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = u.number
      where i.indisprimary and t.relname = ${name} and n.nspname = ${schema}
    ) k on k.attname = c.column_name
    where c.table_schema = ${schema} and c.table_name = ${name}
    order by c.ordinal_position`,
  propertyType: (dataType) => propertyTypes.find(([pattern]) => pattern.test(dataType))?.[1] ?? 'string',
  isDefaultType,
  keyLength: undefined
}

/** A column that refers to a number made by the database is an INTEGER. */
function isDefaultType({ name, length, isKey }: CatalogType, type: string): boolean {
  if (isKey && name === 'integer') return type === 'number'
  return defaultTypes.get(name) === type && (name !== 'character varying') === (length === null)
}
