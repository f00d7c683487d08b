import { isPlainObject } from '@modelwire/core/plugin'

/** A schema as an object of keywords. */
type PlainSchema = Readonly<Record<string, unknown>>

/** Types that TypeBox has besides those of JSON Schema, as their values are written. */
const writtenTypes: ReadonlyMap<unknown, PlainSchema> = new Map<unknown, PlainSchema>([
  ['Date', { type: 'string', format: 'date-time' }],
  ['Uint8Array', { type: 'string', contentEncoding: 'base64' }],
  ['RegExp', { type: 'string' }],
  ['bigint', { type: 'integer' }]
])

const ownKeywords = /^(source|flags|minimumTimestamp|maximumTimestamp|minByteLength|maxByteLength|modelwireType)$/

const inJsonWords = (words: PlainSchema): PlainSchema =>
  Object.fromEntries(Object.entries(words).map(([name, word]) => [name, inJsonTypes(word)]))

function writtenType(type: unknown, written: PlainSchema, words: PlainSchema): PlainSchema {
  const kept = Object.entries(words).filter(([name]) => !ownKeywords.test(name))
  const pattern = type === 'RegExp' ? { pattern: words['source'] } : {}
  return { ...inJsonWords(Object.fromEntries(kept)), ...written, ...pattern }
}

/** Versions of JSON Schema write tuples differently; all of them know items that are one of several. */
const withoutTuple = ({ additionalItems: _additional, ...words }: PlainSchema): PlainSchema =>
  Array.isArray(words['items']) ? { ...words, items: { anyOf: words['items'] } } : words

/** Types that are none of JSON Schema in the words of JSON Schema, at any depth. */
function inJsonTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inJsonTypes)
  if (!isPlainObject(value)) return value
  const { type, ...words } = value
  const written = writtenTypes.get(type)
  if (written !== undefined) return writtenType(type, written, words)
  return { ...(type === undefined ? {} : { type: inJsonTypes(type) }), ...inJsonWords(withoutTuple(words)) }
}

const withoutBigInts = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value)

/** A schema of TypeBox in the words of JSON Schema alone: dates and bytes as they are written, tuples as lists. */
export function plainSchema(schema: object): Record<string, unknown> {
  // A schema is JSON; what it holds besides is of no meaning to others.
  return inJsonTypes(JSON.parse(JSON.stringify(schema, withoutBigInts))) as Record<string, unknown>
}
