import { isPlainObject } from '@modelwire/server'

/** A position in a JSON text. */
interface Cursor {
  readonly text: string
  offset: number
}

/** Whitespace between JSON tokens. */
export const blank = /[ \t\r\n]*/y

/** A text of JSON: characters below the blank are not allowed in it. */
const text = /"(?:[ !\u0023-\u005b\u005d-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y

const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/**
 * The path to the member that `key`, names joined by dots, refers to, as far as such members exist. Names may contain dots
 * themselves, as those of middleware do.
 */
export function splitKey(value: unknown, key: string): readonly string[] {
  if (key === '') return []
  const paths = namesIn(value)
    .filter((name) => key === name || key.startsWith(`${name}.`))
    .map((name) => [name, ...splitKey(Reflect.get(Object(value), name), key.slice(name.length + 1))])
  return paths.toSorted((one, other) => other.join('.').length - one.join('.').length)[0] ?? []
}

function namesIn(value: unknown): readonly string[] {
  return isPlainObject(value) || Array.isArray(value) ? Object.keys(value) : []
}

/** The line of the member at `path`, starting at 1, or of its last existing ancestor; undefined if there is none. */
export function lineOfMember(json: string, path: readonly string[]): number | undefined {
  const cursor = { text: json, offset: 0 }
  let found: number | undefined
  for (const name of path) {
    const offset = enterMember(cursor, name)
    if (offset === undefined) break
    found = offset
  }
  return found === undefined ? undefined : json.slice(0, found).split('\n').length
}

/** Moves to the value of a member and gives the offset where the member starts. */
function enterMember(cursor: Cursor, name: string): number | undefined {
  if (take(cursor, '{')) return findMember(cursor, name, memberName)
  if (!take(cursor, '[')) return undefined
  let index = 0
  return findMember(cursor, name, () => String(index++))
}

function findMember(
  cursor: Cursor,
  name: string,
  nextName: (cursor: Cursor) => string | undefined
): number | undefined {
  do {
    skip(cursor, blank)
    const { offset } = cursor
    const found = nextName(cursor)
    if (found === name) return offset
    if (found === undefined || !skipValue(cursor)) return undefined
  } while (take(cursor, ','))
  return undefined
}

/** Goes past the name of a member and its colon. */
function memberName(cursor: Cursor): string | undefined {
  const start = cursor.offset
  if (!skip(cursor, text)) return undefined
  const name: unknown = JSON.parse(cursor.text.slice(start, cursor.offset))
  return take(cursor, ':') ? String(name) : undefined
}

/** Skips one value; false if there is none. */
export function skipValue(cursor: Cursor): boolean {
  skip(cursor, blank)
  if (take(cursor, '{')) return skipList(cursor, '}', skipMember)
  if (take(cursor, '[')) return skipList(cursor, ']', skipValue)
  return skip(cursor, text) || skip(cursor, word)
}

function skipMember(cursor: Cursor): boolean {
  skip(cursor, blank)
  return skip(cursor, text) && take(cursor, ':') && skipValue(cursor)
}

function skipList(cursor: Cursor, end: string, skipItem: (cursor: Cursor) => boolean): boolean {
  if (take(cursor, end)) return true
  do if (!skipItem(cursor)) return false
  while (take(cursor, ','))
  return take(cursor, end)
}

/** Goes past blanks and `character`; false when another one comes. */
function take(cursor: Cursor, character: string): boolean {
  skip(cursor, blank)
  const found = cursor.text[cursor.offset] === character
  if (found) cursor.offset++
  return found
}

/** Skips a match of a sticky pattern; false if there is none. */
export function skip(cursor: Cursor, pattern: RegExp): boolean {
  pattern.lastIndex = cursor.offset
  const found = pattern.test(cursor.text)
  if (found) cursor.offset = pattern.lastIndex
  return found
}
