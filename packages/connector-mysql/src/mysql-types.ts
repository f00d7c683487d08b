import { type ColumnKind, type ColumnType, columnTypes, sql, type Sql } from '@modelwire/connector-sql'

const asWkt = (value: Sql, kind: ColumnKind): Sql => (kind === 'binary' ? sql`hex(${value})` : sql`st_astext(${value})`)

const asNumber = (value: Sql, kind: ColumnKind): Sql =>
  kind === 'binary' ? sql`hex(${value})` : sql`cast(${value} + 0 as char)`

const exactNumber = { kind: 'number', digits: 'whole', keys: 'number' } as const

/** Strings over bytes are compared by their bytes: a cast would ignore case. */
const bytes = { kind: 'binary', isText: true } as const

const text = { kind: 'text', isText: true, keys: 'text' } as const

const types: readonly ColumnType[] = [
  { name: 'json', written: /^json\b/, kind: 'json', makes: 'json', isLong: true },
  {
    name: 'tinyint(1)',
    written: /^tinyint\(1\)|^bool/,
    kind: 'boolean',
    makes: 'boolean',
    digits: 'whole',
    keys: 'number'
  },
  { written: /^bit\(1\)/, kind: 'boolean', logged: asNumber },
  { written: /^bit\b/, kind: 'boolean', discovered: 'number', logged: asNumber },
  { name: 'tinyint', written: /^tinyint\b/, ...exactNumber },
  { name: 'smallint', written: /^(?:smallint|int2)\b/, ...exactNumber },
  { name: 'mediumint', written: /^mediumint\b/, ...exactNumber },
  { name: 'int', written: /^int(?:eger|4)?\b/, ...exactNumber, counts: true },
  { name: 'bigint', written: /^(?:bigint|int8|serial)\b/, ...exactNumber, discovered: 'integer', makes: 'integer' },
  // Without digits the server takes it for `decimal(10, 0)`, which rounds. LB3: the same, or `decimal(9, 2)`.
  {
    name: 'decimal',
    written: /^(?:decimal|numeric|dec|fixed)\b/,
    kind: 'number',
    makes: 'decimal',
    made: 'DECIMAL(65, 30)',
    size: '(65, 30)',
    digits: 'decimal',
    keys: 'number'
  },
  { name: 'double', written: /^(?:double|real)\b/, kind: 'number', makes: 'number', keys: 'number' },
  { name: 'float', written: /^float\b/, kind: 'number', keys: 'number' },
  { name: 'year', written: /^year\b/, discovered: 'number' },
  { name: 'datetime(3)', written: /^datetime\(3\)/, kind: 'date', makes: 'date', hasNow: true },
  { name: 'datetime', written: /^datetime\b/, kind: 'date', hasNow: true },
  {
    name: 'timestamp',
    written: /^timestamp\b/,
    kind: 'date',
    hasNow: true,
    logged: (value, kind) =>
      kind === 'date' ? sql`cast(unix_timestamp(${value}) * 1000 as char)` : sql`convert(${value} using utf8mb4)`
  },
  { name: 'date', written: /^date\b/, kind: 'date' },
  { name: 'time', written: /^time\b/, kind: 'date', discovered: 'string' },
  // A TEXT ends after 64 KB.
  { name: 'longtext', written: /^longtext\b/, ...text, makes: 'text', isLong: true },
  { written: /^(?:tiny|medium)?text\b/, ...text, isLong: true },
  { name: 'varchar', written: /^varchar\b/, ...text, makes: 'counted', made: 'VARCHAR(n)' },
  // The words of an enumeration do not count.
  { name: 'enum', written: /^enum\b/, ...text },
  { name: 'set', written: /^set\b/, ...text },
  { written: /char|text|clob/, ...text },
  { written: /uuid/, kind: 'text' },
  { name: 'longblob', written: /^longblob\b/, ...bytes, makes: 'binary', isLong: true },
  { written: /blob\b/, ...bytes, isLong: true },
  { written: /binary/, ...bytes },
  { name: 'point', written: /^point\b/, kind: 'point', makes: 'point', holdsObjects: true, logged: asWkt },
  { written: /^(?:geom|linestring|polygon|multi)/, kind: 'point', discovered: 'any', holdsObjects: true, logged: asWkt }
]

/** The maximum length of strings in a key, which need one. */
export const keyLength = 255

/** The types of columns that MySQL and MariaDB have. */
export const mysqlTypes = columnTypes(types, {
  keyLength,
  comparesAny: true,
  /** Omits the width of integers, as newer servers do. */
  spell: ({ name, size, rest }, type) => {
    const full = type.name ?? name
    if (full === 'enum' || full === 'set') return full
    // MariaDB has no type of its own for it.
    if (full === 'json') return 'longtext'
    if (type.digits === 'whole') return size === '(1)' ? `${full}${size}${rest}` : `${full}${rest}`
    if (full !== 'decimal') return `${full}${size}${rest}`
    return `${full}${size === '' ? '(10,0)' : size.replace(/^\((\d+)\)$/, '($1,0)')}${rest}`
  }
})
