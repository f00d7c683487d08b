import { readFile } from 'node:fs/promises'
import type { ModelRegistry } from '@modelwire/core'
import { closestName } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { SeedFileInvalid, SeedNameUnknown, type SeedPlace } from '../errors.ts'
import type { SeedFile } from './list-seed-files.ts'
import type { SeedRecord } from './report.ts'

/** The model of this name. @throws {SeedNameUnknown} there is none */
export function modelNamed(registry: ModelRegistry, name: string, place: SeedPlace): ModelType {
  const model = registry.find(name)
  if (model !== undefined) return model
  const suggestion = closestName(name, registry.names())
  const hint = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
  throw new SeedNameUnknown(`unknown model "${name}"${hint}`, place)
}

/**
 * Records of a model, each with its place.
 * @throws {SeedFileInvalid} it is not a list of objects
 */
export function toRecords(model: ModelType, list: unknown, file: string): readonly SeedRecord[] {
  if (!Array.isArray(list)) throw new SeedFileInvalid(`records of ${model.name} must be a list`, { file })
  return list.map((data: unknown, index) => {
    if (isPlainObject(data)) return { model, data, file, index }
    throw new SeedFileInvalid(`a record of ${model.name} must be an object`, { file, index })
  })
}

/**
 * The records of a JSON file.
 * @throws {SeedNameUnknown} it is named after no model
 * @throws {SeedFileInvalid} it is not JSON, or not a list of objects
 */
export async function readRecords(
  registry: ModelRegistry,
  { name, file, path }: SeedFile
): Promise<readonly SeedRecord[]> {
  const model = modelNamed(registry, name, { file })
  const text = await readFile(path, 'utf8')
  return toRecords(model, parse(text, file), file)
}

function parse(text: string, file: string): unknown {
  try {
    // Editors of Windows put a mark before the text.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new SeedFileInvalid(`the file is not JSON: ${String(error)}`, { file }, { cause: error })
  }
}
