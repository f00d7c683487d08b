import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Model, ModelDefinition } from '@modelwire/core'
import { isPlainObject } from '@modelwire/server'
import { type AppFolder, isFile } from '../files/app-folder.ts'
import type { AddNote } from '../../boot-report.ts'
import { readJsonFile } from '../files/read-json-file.ts'
import { ConfigFileInvalid } from '../../errors.ts'
import { findFolder, isBuiltIn } from '../files/find-folder.ts'
import { mixinName } from '../files/script-names.ts'
import { isPassportFolder, passportFiles } from './passport-files.ts'
import { scriptEndings } from '../files/load-script.ts'
import { flatDefinition } from '@modelwire/loopback/api'

/** A model file with its script. */
export interface ModelFile {
  /** Relative to the application's folder. */
  readonly file: string
  readonly definition: ModelDefinition
  /** The absolute path of `NAME.js` next to `NAME.json`. */
  readonly script: string | undefined
  /** Adds what a package's model file provides beyond its definition to the model's class. */
  readonly prepare?: (modelClass: typeof Model) => void
}

/**
 * The model files in the folders of `_meta.sources`, by model name. If two files define the same model, the later one wins.
 * @throws {ConfigFileInvalid} a file is not a JSON object
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
  if (path !== undefined) return readFolder(folder, path)
  // The folder `./models` is in every application's list, but not in every application.
  noteMissing(source, configFile, add)
  return []
}

function noteMissing(source: string, file: string, add: AddNote): void {
  if (source !== './models')
    add('ignored', { file, key: '_meta.sources' }, `the folder ${source} does not exist`, {
      effect: 'info',
      advice: 'remove it from the list, or correct it'
    })
}

function addModel(found: Map<string, ModelFile>, model: ModelFile, add: AddNote): void {
  const { name } = model.definition
  const before = found.get(name)
  if (before !== undefined)
    add('ignored', { file: before.file }, `${model.file} also defines ${name}, and is loaded later`, {
      effect: 'info',
      advice: 'remove one of the two files'
    })
  found.set(name, model)
}

function readFolder(folder: AppFolder, path: string): readonly ModelFile[] {
  // LB3: files whose names begin with an underscore are left out.
  const names = readdirSync(path).filter((name) => name.endsWith('.json') && !name.startsWith('_'))
  return names.toSorted().map((name) => readModelFile(folder, join(path, name)))
}

/** LB3: a list is a model without anything, which data among the models may be; nothing uses it unless it is configured. */
function readModelFile(folder: AppFolder, path: string): ModelFile {
  const file = folder.nameOf(path)
  const written = readJsonFile(folder, path)
  if (!isPlainObject(written) && !Array.isArray(written))
    throw new ConfigFileInvalid('a model file must contain an object', { file })
  const definition = flatDefinition(Array.isArray(written) ? {} : written)
  const name = definition['name'] || modelName(basename(path, '.json'))
  if (typeof name !== 'string')
    throw new ConfigFileInvalid('the name of a model must be a string', { file, key: 'name' })
  // Its shape is checked when the model is defined.
  return { file, definition: { ...definition, name }, script: findScript(path) }
}

/**
 * The name of a model whose file has none. @see LoopBack 3: loopback-boot, lib/plugins/model.js, loadModelDefinition
 */
const modelName = (fileName: string): string => mixinName(fileName.replace(/(\d)([a-z])/g, '$1-$2'))

function findScript(path: string): string | undefined {
  const base = join(path, '..', basename(path, '.json'))
  return scriptEndings()
    .map((ending) => `${base}.${ending}`)
    .find(isFile)
}
