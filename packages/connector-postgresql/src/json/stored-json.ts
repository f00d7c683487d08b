import { type Sql, sql } from '@modelwire/connector-sql'

/** A text that stands in the statement, and means the same whatever the database's settings for backslashes are. */
export const literal = (text: string): Sql => sql.raw(`E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`)

// Patterns of values as `JSON.stringify` writes them, without U+0000, which is not part of `jsonb`.
const escape = String.raw`\\(?:["\\bfnrt]|u00(?:0[1-7bef]|1[0-9a-f]))`
const character = String.raw`(?:[^"\\\x01-\x1f]|${escape})`
const text = `"${character}*"`
const whole = String.raw`(?:0|-?[1-9]\d{0,14})`
/** Up to fifteen digits: those with more may be written with others. */
const number = String.raw`${whole}|-?(?:0|[1-9]\d{0,8})\.\d{0,5}[1-9]|-?[1-9]\d{0,2}\.\d{0,11}[1-9]`
const item = `(?:true|false|null|${number}|${text})`

/** The patterns of values in a list of keys, by what the keys are. */
export const keyPatterns = { text, whole } as const

/** The pattern of a list of such values, as `JSON.stringify` writes it. */
export const listPattern = (value: string): string => String.raw`^\[(?:${value}(?:,${value})*)?\]$`

/** A list of plain values: matches the whole text. */
const plainList = literal(listPattern(item))

// JavaScript orders properties whose names are whole numbers: only texts of other places have such digits.
const nameOrText = String.raw`"(?:\d*(?:[^"\\0-9\x01-\x1f]|${escape})${character}*)?"`
const digits = String.raw`"\d+"[]},]`
/** Lists and objects, as far as their tokens show. */
const pieces = literal(String.raw`^[[{](?:[][{},:]|(?:true|false|null|${number}|${nameOrText})[][{},:]|${digits})*$`)

/** Longer texts would keep the database longer than this process. */
const longest = sql.lit(1_000_000)

const isLong = (json: Sql): Sql => sql`octet_length(${json}) > ${longest}`

/** The length without the blanks behind commas and colons that `jsonb` is written with, and without those of texts. */
const shortLength = (json: Sql): Sql => sql`length(replace(replace(${json}, ', ', ','), ': ', ':'))`

/**
 * The JSON of a list or object that is kept as text, where the text is the one that `JSON.stringify` makes of it; null
 * for other texts. The statement fails with a SQLSTATE of the class 22 for some that are not valid JSON.
 *
 * A text of such pieces that can be read as `jsonb` has no other form but that of a name which comes twice: `jsonb` has
 * it once, and is shorter for it.
 */
export function writeStoredJson(value: Sql): Sql {
  const isOnce = sql`${shortLength(sql`${value}::jsonb::text`)} = ${shortLength(value)}`
  return sql`case when ${value} ~ ${plainList} then ${value} when ${isLong(value)} then null when ${value} ~ ${pieces} then case when ${isOnce} then ${value} end end`
}

/** A number that is never written like this; a placeholder for null. */
const place = '-0e-7461'

/**
 * The JSON of a list or object in a column of `jsonb`; null for a value that `JSON.stringify` writes in another way.
 *
 * The only function of the server that writes objects without blanks leaves out properties that are null: they have another value
 * meanwhile. Behind a colon with a blank it lies in a text by then.
 */
export function writeJsonb(value: Sql): Sql {
  const json = sql`${value}::text`
  const [outside, inside] = [literal(`:${place}`), literal(`: ${place}`)]
  const short = sql`json_strip_nulls(replace(${json}, ': null', ${inside})::json)::text`
  const written = sql`replace(replace(${short}, ${outside}, ':null'), ${inside}, ': null')`
  return sql`case when not (${isLong(json)}) and strpos(${json}, ${literal(place)}) = 0 then substring(${written} from ${pieces}) end`
}
