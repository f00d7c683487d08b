import type { AppFolder } from '../app-folder.ts'
import { ConfigFileInvalid } from '../errors.ts'
import { findJsonError } from './find-json-error.ts'
import { deepest, isTooDeep } from './json-depth.ts'
import { readTextFile } from './read-text-file.ts'

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
  if (isTooDeep(json)) throw new ConfigFileInvalid(`this is nested more than ${deepest} levels deep`, { file })
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new ConfigFileInvalid('this is not valid JSON', { file, ...placeOf(json) }, { cause })
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
