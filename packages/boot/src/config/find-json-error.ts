interface Cursor {
  readonly text: string
  offset: number
}

const blank = /[ \t\r\n]*/y
// Characters below the blank are not allowed in texts.
const text = /"(?:[ !\u0023-\u005b\u005d-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y
const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/**
 * The offset of the first character of `json` that JSON does not allow; undefined when there is none. Node's own messages
 * tell the offset in some releases and for some texts only.
 */
export function findJsonError(json: string): number | undefined {
  const cursor = { text: json, offset: 0 }
  const fine = skipValue(cursor) && skip(cursor, blank) && cursor.offset === json.length
  return fine ? undefined : cursor.offset
}

function skipValue(cursor: Cursor): boolean {
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

function take(cursor: Cursor, character: string): boolean {
  skip(cursor, blank)
  const found = cursor.text[cursor.offset] === character
  if (found) cursor.offset++
  return found
}

function skip(cursor: Cursor, pattern: RegExp): boolean {
  pattern.lastIndex = cursor.offset
  const found = pattern.test(cursor.text)
  if (found) cursor.offset = pattern.lastIndex
  return found
}
