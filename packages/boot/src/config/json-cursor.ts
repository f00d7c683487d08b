/** A place in a text of JSON. */
export interface Cursor {
  readonly text: string
  offset: number
}

/** Between the parts of JSON. */
export const blank = /[ \t\r\n]*/y
/** A text of JSON: characters below the blank are not allowed in it. */
export const text = /"(?:[ !\u0023-\u005b\u005d-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y
const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Goes past one value; false when there is none. */
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
export function take(cursor: Cursor, character: string): boolean {
  skip(cursor, blank)
  const found = cursor.text[cursor.offset] === character
  if (found) cursor.offset++
  return found
}

/** Goes past what matches a sticky pattern; false when nothing does. */
export function skip(cursor: Cursor, pattern: RegExp): boolean {
  pattern.lastIndex = cursor.offset
  const found = pattern.test(cursor.text)
  if (found) cursor.offset = pattern.lastIndex
  return found
}
