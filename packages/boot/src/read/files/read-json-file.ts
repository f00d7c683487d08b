import type { AppFolder } from './app-folder.ts'
import { ConfigFileInvalid } from '../../errors.ts'
import { blank, skip, skipValue } from './json-text.ts'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** Levels of a file: more than any real file has, and few enough for recursion. */
const deepest = 500

const openers = new Set(['{', '['])

const closers = new Set(['}', ']'])

/** A text of JSON, or a bracket. What lies in texts is skipped; one that does not end is a mistake that is found later. */
const parts = /"(?:[^"\\]|\\.)*"?|[{}[\]]/gs

/**
 * The value of a JSON file. A byte order mark is skipped.
 * @throws {ConfigFileInvalid} it holds no JSON, or cannot be read
 */
export function readJsonFile(folder: AppFolder, path: string): unknown {
  const file = folder.nameOf(path)
  const read = (): unknown => parseFile(path, file)
  return folder.source === undefined ? read() : folder.source.readJson(file, read)
}

function parseFile(path: string, file: string): unknown {
  const json = readText(path, file).replace(/^\uFEFF/, '')
  if (isTooDeep(json)) throw new ConfigFileInvalid(`the value is nested more than ${deepest} levels deep`, { file })
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new ConfigFileInvalid('invalid JSON', { file, ...placeOf(json) }, { cause })
  }
}

function readText(path: string, file: string): string {
  try {
    return readTextFile(path)
  } catch (cause) {
    throw new ConfigFileInvalid('the file cannot be read', { file }, { cause })
  }
}

function placeOf(json: string): { line: number; column: number } {
  const before = json.slice(0, findJsonError(json)).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/**
 * The offset of the first character of `json` that is invalid; undefined if there is none. Node's own messages only contain
 * the offset in some releases and for some texts.
 */
export function findJsonError(json: string): number | undefined {
  const cursor = { text: json, offset: 0 }
  const fine = skipValue(cursor) && skip(cursor, blank) && cursor.offset === json.length
  return fine ? undefined : cursor.offset
}

/** Whether a text, JSON or not, is nested deeper than any file should be. */
function isTooDeep(json: string): boolean {
  let depth = 0
  for (const [part] of json.matchAll(parts)) {
    if (openers.has(part)) depth++
    else if (closers.has(part)) depth--
    if (depth > deepest) return true
  }
  return false
}

/**
 * Reads a text file. Anything else is refused: a pipe blocks until there is a writer, a device never ends.
 * @throws {Error} it is a folder, a pipe, a socket or a device
 */
export function readTextFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is not a file`)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}
