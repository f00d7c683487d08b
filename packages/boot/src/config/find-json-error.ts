import { blank, skip, skipValue } from './json-cursor.ts'

/**
 * The offset of the first character of `json` that JSON does not allow; undefined when there is none. Node's own
 * messages have the offset in some releases and for some texts only.
 */
export function findJsonError(json: string): number | undefined {
  const cursor = { text: json, offset: 0 }
  const fine = skipValue(cursor) && skip(cursor, blank) && cursor.offset === json.length
  return fine ? undefined : cursor.offset
}
