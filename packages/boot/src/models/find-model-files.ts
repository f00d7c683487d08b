import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isPlainObject, type Model, type ModelDefinition } from '@modelwire/core'
import { type AppFolder, isFile } from '../app-folder.ts'
import type { AddNote } from '../boot-report.ts'
import { readJsonFile } from '../config/read-json-file.ts'
import { ConfigFileInvalid } from '../errors.ts'
import { findFolder, isBuiltIn } from '../find-folder.ts'
import { isPassportFolder, passportFiles } from '../passport/passport-files.ts'
import { scriptEndings } from '../scripts/load-script.ts'

/** A model file with the script beside it. */
export interface ModelFile {
  /** Relative to the application's folder. */
  readonly file: string
  readonly definition: ModelDefinition
  /** The whole path of `NAME.js` beside `NAME.json`. */
  readonly script: string | undefined
  /** Gives the model's class what the file of a package brings besides its definition. */
  readonly prepare?: (modelClass: typeof Model) => void
}

/**
 * The model files in the folders of `_meta.sources`, by the name of their model. Of two files for one model the later
 * counts.
 * @throws {ConfigFileInvalid} a file is no JSON object
 */
export function findModelFiles(
  folder: AppFolder,
  sources: readonly string[],
  configFile: string,
  add: AddNote
): ReadonlyMap<string, ModelFile> {
  const found = new Map<string, ModelFile>()
  for (const source of sources.filter((name) => !isBuiltIn(name))) {
    const models = isPassportFolder(folder, source) ? passportFiles : readSource(folder, source, configFile, add)
    for (const model of models) addModel(found, model, add)
  }
  return found
}

function readSource(folder: AppFolder, source: string, configFile: string, add: AddNote): readonly ModelFile[] {
  const path = findFolder(folder, source)
  if (path !== undefined) return readFolder(folder, path, add)
  // The folder `./models` is in every application's list, but not in every application.
  noteMissing(source, configFile, add)
  return []
}

function noteMissing(source: string, file: string, add: AddNote): void {
  if (source !== './models')
    add('ignored', { file, key: '_meta.sources' }, `there is no folder ${source}`, {
      effect: 'info',
      advice: 'remove it from the list, or correct it'
    })
}

function addModel(found: Map<string, ModelFile>, model: ModelFile, add: AddNote): void {
  const { name } = model.definition
  const before = found.get(name)
  if (before !== undefined)
    add('ignored', { file: before.file }, `${model.file} defines ${name}, too, and comes later`, {
      effect: 'info',
      advice: 'remove one of the two files'
    })
  found.set(name, model)
}

function readFolder(folder: AppFolder, path: string, add: AddNote): readonly ModelFile[] {
  const names = readdirSync(path).filter((name) => name.endsWith('.json'))
  const read = names.toSorted().map((name) => readModelFile(folder, join(path, name), add))
  return read.filter((model) => model !== undefined)
}

function readModelFile(folder: AppFolder, path: string, add: AddNote): ModelFile | undefined {
  const file = folder.nameOf(path)
  const definition = readJsonFile(folder, path)
  if (!isPlainObject(definition)) throw new ConfigFileInvalid('a model file holds an object', { file })
  if (typeof definition['name'] !== 'string') {
    add('ignored', { file, key: 'name' }, 'a file without a name defines no model', {
      effect: 'info',
      advice: 'give it a name, or move it out of the folder'
    })
    return undefined
  }
  // Its shape is checked when the model is defined.
  return { file, definition: definition as ModelDefinition, script: findScript(path) }
}

function findScript(path: string): string | undefined {
  const base = join(path, '..', basename(path, '.json'))
  return scriptEndings()
    .map((ending) => `${base}.${ending}`)
    .find(isFile)
}
