import { type ColumnKind, type ColumnType, columnTypes, sql, type Sql } from '@modelwire/connector-sql'

/** As the server writes one: others are no value of the type. */
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

const asWkt = (value: Sql, kind: ColumnKind): Sql => (kind === 'binary' ? sql`hex(${value})` : sql`st_astext(${value})`)

const asNumber = (value: Sql, kind: ColumnKind): Sql =>
  kind === 'binary' ? sql`hex(${value})` : sql`cast(${value} + 0 as char)`

/** Numbers are true unless they are 0. Dates are not compared with them: columns have times in zones. */
const numberAsOther: ColumnType['comparedAs'] = { boolean: (number) => sql`(${number} <> 0)` }

const numeric = { kind: 'number', keys: 'number', comparedAs: numberAsOther } as const

const exactNumber = { ...numeric, digits: 'whole', keeps: /^/ } as const

const itself = (value: Sql): Sql => value

const bits = {
  isBits: true,
  logged: asNumber,
  text: (number: Sql) => sql`(convert(cast(${number} + 0 as char) using utf8mb4) collate utf8mb4_bin)`
} as const

/** As JavaScript writes the exponent, which it does from 1e21 on. */
function floatText(number: Sql): Sql {
  const text = sql`cast(${number} as char)`
  const digits = sql`cast(cast(${text} as decimal(65)) as char)`
  const written = sql`if(abs(${number}) >= 1e15 and abs(${number}) < 1e21, ${digits}, replace(replace(${text}, 'e', 'e+'), 'e+-', 'e-'))`
  return sql`(convert(${written} using utf8mb4) collate utf8mb4_bin)`
}

const isNumeral = String.raw`'^ *[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)(e[-+]?[0-9]{1,2})? *$'`

/** What strings are compared as where properties are of another kind, as they are read. */
const textAsOther = {
  number: (text: Sql) => sql`(case when ${text} regexp ${sql.raw(isNumeral)} then ${text} + 0e0 end)`,
  boolean: (text: Sql) => sql`(lower(left(${text}, 1)) in ('y', 't', '1'))`,
  date: (text: Sql) => sql`cast(${text} as datetime(3))`,
  binary: (text: Sql) => sql`cast(convert(${text} using utf8mb4) as binary)`
} satisfies ColumnType['comparedAs']

/** Strings over bytes are compared by their bytes: a cast would ignore case. */
const bytes = { kind: 'binary', isText: true } as const

const collated = { kind: 'text', isText: true, keys: 'text', comparedAs: textAsOther } as const

/** Words are compared as strings, and would be ordered by their places in the list. */
const words = {
  kind: 'text',
  keys: 'text',
  isOwnForm: () => true,
  comparedAs: {
    number: (word: Sql) => textAsOther.number(sql`cast(${word} as char)`),
    boolean: (word: Sql) => textAsOther.boolean(sql`cast(${word} as char)`)
  }
} as const

/** A day of the calendar, in the form of the database. Others would be compared as the zero date. */
function isDay(day: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(day)) return false
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

const isClock = (time: string): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(time)

/** As the database writes a time with so many digits behind the second. */
const isTimeOf =
  (digits: number) =>
  (text: string): boolean =>
    isDay(text.slice(0, 10)) && text[10] === ' ' && isClock(text.slice(11, 19)) && endsIn(text.slice(19), digits)

const isClockOf =
  (digits: number) =>
  (text: string): boolean =>
    isClock(text.slice(0, 8)) && endsIn(text.slice(8), digits)

const endsIn = (fraction: string, digits: number): boolean =>
  digits === 0 ? fraction === '' : fraction.length === digits + 1 && /^\.\d+$/.test(fraction)

/** A type for each number of digits behind the second, the last one without any. */
const perDigits = (name: string, make: (digits: number) => Omit<ColumnType, 'written'>): readonly ColumnType[] =>
  [6, 5, 4, 3, 2, 1, 0].map((digits) => {
    const suffix = digits === 0 ? '' : `(${digits})`
    return {
      written: new RegExp(`^${name}${digits === 0 ? '\\b' : `\\(${digits}\\)`}`),
      name: `${name}${suffix}`,
      ...make(digits)
    }
  })

/** The zero date stands for none. */
const isZero = (date: Sql): Sql => sql`${date} = 0`

const date = { kind: 'date', ordersAsText: true } as const

const unixTime = (value: Sql, kind: ColumnKind): Sql =>
  kind === 'date' ? sql`cast(unix_timestamp(${value}) * 1000 as char)` : sql`convert(${value} using utf8mb4)`

const geometry = {
  kind: 'point',
  holdsObjects: true,
  logged: asWkt,
  text: (shape: Sql) => sql`st_astext(${shape})`
} as const

const types: readonly ColumnType[] = [
  { name: 'json', written: /^json\b/, kind: 'json', makes: 'json', isLong: true, keeps: /^/ },
  {
    name: 'tinyint(1)',
    written: /^tinyint\(1\)|^bool/,
    kind: 'boolean',
    keeps: /^/,
    makes: 'boolean',
    digits: 'whole',
    keys: 'number',
    comparedAs: { number: itself }
  },
  { written: /^bit\(1\)/, kind: 'boolean', digits: 'whole', ...bits, comparedAs: { number: itself } },
  { written: /^bit\b/, ...exactNumber, ...bits },
  { name: 'tinyint', written: /^tinyint\b/, ...exactNumber },
  { name: 'smallint', written: /^(?:smallint|int2)\b/, ...exactNumber },
  { name: 'mediumint', written: /^mediumint\b/, ...exactNumber },
  { name: 'int', written: /^int(?:eger|4)?\b/, ...exactNumber, counts: true },
  { name: 'bigint', written: /^(?:bigint|int8|serial)\b/, ...exactNumber, discovered: 'integer', makes: 'integer' },
  // Without digits the server takes it for `decimal(10, 0)`, which rounds. LB3: the same, or `decimal(9, 2)`.
  {
    name: 'decimal',
    written: /^(?:decimal|numeric|dec|fixed)\b/,
    ...numeric,
    makes: 'decimal',
    made: 'DECIMAL(65, 30)',
    size: '(65, 30)',
    digits: 'decimal'
  },
  {
    name: 'double',
    keeps: /^/,
    written: /^(?:double|real)\b/,
    ...numeric,
    makes: 'number',
    isOwnForm: (text) => String(Number(text)) === text,
    text: floatText
  },
  // Fewer digits are read than would be compared.
  {
    name: 'float',
    written: /^float\b/,
    ...numeric,
    comparedAs: { ...numberAsOther, number: (value) => sql`(cast(${value} as char) + 0e0)` },
    text: floatText
  },
  { name: 'year', written: /^year\b/, ...numeric, digits: 'whole' },
  ...perDigits('datetime', (digits) => ({
    ...date,
    isOwnForm: isTimeOf(digits),
    hasNow: true,
    ...(digits === 3 ? { makes: 'date', keeps: /^/ } : { absent: isZero })
  })),
  ...perDigits('timestamp', (digits) => ({
    ...date,
    isOwnForm: isTimeOf(digits),
    hasNow: true,
    absent: isZero,
    logged: unixTime
  })),
  { name: 'date', written: /^date\b/, ...date, isOwnForm: isDay, absent: isZero },
  // Negative ones, and those of more than a day, are ordered as strings.
  ...perDigits('time', (digits) => ({ kind: 'text', isOwnForm: isClockOf(digits) })),
  // A TEXT ends after 64 KB.
  { name: 'longtext', written: /^longtext\b/, ...collated, makes: 'text', isLong: true, keeps: /^/ },
  { written: /^(?:tiny|medium)?text\b/, ...collated, isLong: true, keeps: /^/ },
  { name: 'varchar', written: /^varchar\b/, ...collated, makes: 'counted', made: 'VARCHAR(n)', keeps: /^/ },
  // The words of an enumeration do not count.
  { name: 'enum', written: /^enum\b/, ...words },
  { name: 'set', written: /^set\b/, ...words },
  { written: /char|text|clob/, ...collated },
  { written: /uuid/, kind: 'text', isOwnForm: (sent) => uuid.test(sent) },
  { written: /^inet[46]/, kind: 'text' },
  { name: 'longblob', written: /^longblob\b/, ...bytes, makes: 'binary', isLong: true, keeps: /^/ },
  { written: /blob\b/, ...bytes, isLong: true, keeps: /^/ },
  { written: /binary/, ...bytes },
  { name: 'point', written: /^point\b/, ...geometry, makes: 'point', keeps: /^/ },
  { written: /^(?:geom|linestring|polygon|multi)/, ...geometry, discovered: 'any' }
]

/** The maximum length of strings in a key, which need one. */
export const keyLength = 255

const western = /^[\0-\x7f\x81\x8d\x8f\x90\x9d\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/

/** The strings that character sets hold, by the beginning of their collations. Comparisons with others are errors. */
const characterSets: Readonly<Record<string, (text: string) => boolean>> = {
  ascii: (text) => /^[\0-\x7f]*$/.test(text),
  latin1: (text) => western.test(text),
  utf8: (text) => !/[\ud800-\udfff]/.test(text),
  utf8mb3: (text) => !/[\ud800-\udfff]/.test(text)
}

/** The types of columns that MySQL and MariaDB have. */
export const mysqlTypes = columnTypes(types, {
  keyLength,
  holdsIn: (collation) => characterSets[collation.split('_', 1)[0] ?? ''],
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
