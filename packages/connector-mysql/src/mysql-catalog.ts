import { type CatalogDialect, type CatalogType, sql } from '@modelwire/connector-sql'
import { keyLength, schemaName } from './mysql-schema.ts'

const propertyTypes: readonly (readonly [RegExp, string])[] = [
  [/^(?:tinyint\(1\)|bit\(1\)|bool)/, 'boolean'],
  [/^bigint/, 'integer'],
  [/^(?:tinyint|smallint|mediumint|int|decimal|numeric|float|double|real|year|bit)/, 'number'],
  [/^(?:datetime|timestamp|date)/, 'date'],
  [/blob|binary/, 'buffer'],
  [/^point$/, 'geopoint'],
  [/^json$/, 'any']
]

/** What a migration makes where no `dataType` is said. */
const defaultTypes: readonly (readonly [RegExp, string])[] = [
  [/^longtext$/, 'string'],
  [/^double$/, 'number'],
  [/^bigint(?:\(20\))?$/, 'integer'],
  [/^tinyint\(1\)$/, 'boolean'],
  [/^datetime\(3\)$/, 'date'],
  [/^longblob$/, 'buffer'],
  [/^point$/, 'geopoint'],
  [/^json$/, 'any']
]

/** How the catalog of MySQL and MariaDB is read. */
export const mysqlCatalog: CatalogDialect = {
  listTables: (schema, views) => sql`
    select table_name as name, table_schema as owner, case table_type when 'VIEW' then 'view' else 'table' end as type
    from information_schema.tables
    where table_schema = ${schemaName(schema)} and (table_type = 'BASE TABLE' or (${views} and table_type = 'VIEW'))
    order by table_name`,
  // MariaDB's JSON is a text with a check of this form; only MariaDB reads the comment.
  describeColumns: ({ name, schema }) => sql`
    select c.column_name as name,
      case
        when c.data_type in ('varchar', 'char', 'decimal') then c.data_type
        /*M! when c.data_type = 'longtext' and exists (
          select 1 from information_schema.check_constraints k
          where k.constraint_schema = c.table_schema and k.table_name = c.table_name and k.check_clause = concat('json_valid(\`', c.column_name, '\`)')
        ) then 'json' */
        else c.column_type
      end as data_type,
      case when c.data_type in ('varchar', 'char') then c.character_maximum_length end as length,
      case when c.data_type = 'decimal' then c.numeric_precision end as num_precision,
      case when c.data_type = 'decimal' then c.numeric_scale end as num_scale,
      c.is_nullable = 'YES' as nullable, c.extra like '%auto_increment%' as is_generated, 0 as is_identity,
      u.ordinal_position as key_position, u.constraint_name as key_name
    from information_schema.columns c
    left join information_schema.key_column_usage u
      on u.table_schema = c.table_schema and u.table_name = c.table_name and u.column_name = c.column_name and u.constraint_name = 'PRIMARY'
    where c.table_schema = ${schemaName(schema)} and c.table_name = ${name}
    order by c.ordinal_position`,
  propertyType: (dataType) => propertyTypes.find(([pattern]) => pattern.test(dataType))?.[1] ?? 'string',
  isDefaultType,
  keyLength
}

/** A column that refers to a number made by the database is an INT; a text in a key has a length that keys can have. */
function isDefaultType({ name, isKey }: CatalogType, type: string): boolean {
  if (name === 'varchar') return type === 'string'
  if (isKey && /^int(?:\(11\))?$/.test(name)) return type === 'number'
  return defaultTypes.some(([pattern, defaultType]) => defaultType === type && pattern.test(name))
}
