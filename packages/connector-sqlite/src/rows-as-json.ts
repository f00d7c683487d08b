/** A statement whose rows are returned as JSON, and the names of their columns. */
export interface JsonStatement {
  readonly sql: string
  readonly names: readonly string[]
}

/** Determines the columns of a select. */
export type ListColumns = (select: string) => readonly string[]

/** More arguments than that are too many for a function of SQLite. */
const argumentsAtOnce = 100

// JSON has no infinite numbers, but greater ones than JavaScript. Twenty digits distinguish every number from its
// neighbours.
const finite = `between -${Number.MAX_VALUE} and ${Number.MAX_VALUE}`
const writeNumber = (value: string): string =>
  `json(case when ${value} ${finite} then printf('%!.20g', ${value}) when ${value} > 0 then '9e999' else '-9e999' end)`

// Others would be rounded: as texts they have all of their digits.
const safe = `between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`

/** Wraps bytes, which JSON does not support, in an object. */
export const writeValue = (value: string): string =>
  `case typeof(${value}) when 'real' then ${writeNumber(value)} when 'integer' then iif(${value} ${safe}, ${value}, cast(${value} as text)) when 'blob' then json_object('hex', hex(${value})) else ${value} end`

/** A list of values; of lists of them where there are many. */
function writeRow(columns: readonly string[]): string {
  if (columns.length <= argumentsAtOnce) return writeList(columns.map(writeValue))
  const starts = Array.from({ length: Math.ceil(columns.length / argumentsAtOnce) }, (_, at) => at * argumentsAtOnce)
  return writeList(starts.map((start) => writeList(columns.slice(start, start + argumentsAtOnce).map(writeValue))))
}

const writeList = (items: readonly string[]): string => `json_array(${items.join(', ')})`

// Quotes within a name are doubled: behind a whole list of names no quote is left over.
const returned = / returning ((?:"(?:[^"]|"")*"(?:, )?)+)$/
const quotedName = /"((?:[^"]|"")*)"/g

/**
 * The statement that returns the rows of `sql` as JSON, in bytes; undefined for one that returns no rows.
 *
 * libsql crashes the process when it reads a string that is not UTF-8, and truncates one at U+0000; other programs store
 * such strings. Moreover, reading one long JSON text is faster than reading each value.
 * @param isOne all rows come in one JSON, not each in its own; what a change returns comes row by row
 */
export function rowsAsJson(sql: string, listColumns: ListColumns, isOne: boolean): JsonStatement | undefined {
  if (/^\s*select\b/.test(sql)) return selectAsJson(sql, writtenNames(sql, listColumns(sql)), isOne)
  const list = returned.exec(sql)?.[1]
  if (list === undefined) return undefined
  const columns = [...list.matchAll(quotedName)].map(([quoted, name = '']) => ({ quoted, name }))
  const row = writeRow(columns.map(({ quoted }) => quoted))
  return {
    sql: `${sql.slice(0, -list.length)}cast(json_array(${row}) as blob)`,
    names: columns.map(({ name }) => name.replaceAll('""', '"'))
  }
}

const selected = /^\s*select ((?:(?:"(?:[^"]|"")*"\.)?"(?:[^"]|"")*"(?:, )?)+) from /
const lastName = /"((?:[^"]|"")*)"(?=,|$)/g

/** SQLite names columns as their table does, which may be in another case than the statement. */
function writtenNames(sql: string, names: readonly string[]): readonly string[] {
  const list = selected.exec(sql)?.[1]
  if (list === undefined) return names
  const written = Array.from(list.matchAll(lastName), ([, name = '']) => name.replaceAll('""', '"'))
  const isSame = written.length === names.length && written.every((name, at) => isSameName(name, names[at]))
  return isSame ? written : names
}

const isSameName = (name: string, other: string | undefined): boolean => name.toLowerCase() === other?.toLowerCase()

/** The columns are renamed, since SQLite would take the quoted name of a missing one for a text. */
function selectAsJson(sql: string, names: readonly string[], isOne: boolean): JsonStatement {
  const columns = names.map((_name, at) => `c${at}`)
  const rows = '"rows of the statement"'
  const list = `cast(${isOne ? 'json_group_array' : 'json_array'}(${writeRow(columns)}) as blob)`
  return { sql: `with ${rows}(${columns.join(', ')}) as (${sql}) select ${list} from ${rows}`, names }
}

/** The rows in such JSON. Bytes that are not UTF-8 become U+FFFD. */
export function readJsonRows(names: readonly string[], json: Uint8Array): Record<string, unknown>[] {
  const rows = JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString()) as unknown[][] // as written above
  return rows.map((row) => readRow(names, names.length <= argumentsAtOnce ? row : row.flat()))
}

function readRow(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let at = 0; at < names.length; at++) row[names[at] ?? ''] = readValue(values[at])
  return row
}

/** Reads a value of such JSON. */
export function readValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return 'hex' in value ? Buffer.from(String(value.hex), 'hex') : value
}
