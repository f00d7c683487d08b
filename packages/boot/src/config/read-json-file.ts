import type { AppFolder } from '../app-folder.ts'
import { ConfigFileInvalid } from '../errors.ts'
import { findJsonError } from './find-json-error.ts'
import { deepest, isTooDeep } from './json-depth.ts'
import { readTextFile } from './read-text-file.ts'

/**
 * The value of a JSON file. A byte order mark is skipped.
 * @throws {ConfigFileInvalid} it holds no JSON, or cannot be read
 */
export async function readJsonFile(folder: AppFolder, path: string): Promise<unknown> {
  const file = folder.nameOf(path)
  const read = async (): Promise<unknown> => parseFile(path, file)
  return folder.source === undefined ? read() : folder.source.readJson(file, read)
}

async function parseFile(path: string, file: string): Promise<unknown> {
  const json = (await readText(path, file)).replace(/^\uFEFF/, '')
  if (isTooDeep(json)) throw new ConfigFileInvalid(`this is nested more than ${deepest} levels deep`, { file })
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new ConfigFileInvalid('this is no JSON', { file, ...placeOf(json) }, { cause })
  }
}

async function readText(path: string, file: string): Promise<string> {
  try {
    return await readTextFile(path)
  } catch (cause) {
    throw new ConfigFileInvalid('the file cannot be read', { file }, { cause })
  }
}

function placeOf(json: string): { line: number; column: number } {
  const before = json.slice(0, findJsonError(json)).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
