import { type CatalogDialect, sql } from '@modelwire/connector-sql'

const propertyTypes: readonly (readonly [RegExp, string])[] = [
  [/^bool/, 'boolean'],
  [/^bigint$/, 'integer'],
  [/^(?:date|timestamp)/, 'date'],
  [/^json/, 'any'],
  [/^point/, 'geopoint'],
  [/char|clob|text|uuid/, 'string'],
  [/blob|binary/, 'buffer'],
  [/int|real|floa|doub|num|dec/, 'number']
]

/** What a migration makes where no `dataType` is said. */
const defaultTypes: ReadonlyMap<string, string> = new Map([
  ['text', 'string'],
  ['numeric', 'number'],
  ['bigint', 'integer'],
  ['boolean', 'boolean'],
  ['datetime', 'date'],
  ['blob', 'buffer'],
  ['point text', 'geopoint'],
  ['json text', 'any']
])

/** How SQLite's catalog is read. A number that is the only key is counted, with or without AUTOINCREMENT. */
export const sqliteCatalog: CatalogDialect = {
  listTables: (_schema, views) => sql`
    select name, null as owner, type from sqlite_schema
    where name not glob 'sqlite_*' and (type = 'table' or (${views ? 1 : 0} and type = 'view'))
    order by name`,
  describeColumns: ({ name }) => sql`
    select c.name as name, lower(c.type) as data_type, null as length, null as num_precision, null as num_scale,
      case when c."notnull" or c.pk then 0 else 1 end as nullable,
      case when c.pk and lower(c.type) = 'integer' and (select count(*) from pragma_table_info(${name}) where pk) = 1 then 1 else 0 end as is_generated,
      0 as is_identity, c.pk as key_position, 'PRIMARY' as key_name
    from pragma_table_info(${name}) c
    order by c.cid`,
  propertyType: (dataType) => propertyTypes.find(([pattern]) => pattern.test(dataType))?.[1] ?? 'string',
  isDefaultType: ({ name, isKey }, type) =>
    defaultTypes.get(name) === type || (isKey && name === 'integer' && type === 'number'),
  keyLength: undefined
}
