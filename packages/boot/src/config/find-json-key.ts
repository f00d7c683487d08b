import { isPlainObject } from '@modelwire/core/plugin'
import { blank, type Cursor, skip, skipValue, take, text } from './json-cursor.ts'

/**
 * The names that lead to the member which `key` means, names joined by dots: as far as there are such members. Names may
 * hold dots themselves, as those of middleware do.
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

/** The line of the member that `path` leads to, counted from 1, as far as it leads; undefined when it leads nowhere. */
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
