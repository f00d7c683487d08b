import { join } from 'node:path'
import { isPlainObject } from '@modelwire/server'
import { type AppFolder, isFile } from '../files/app-folder.ts'
import { ConfigFileInvalid } from '../../errors.ts'
import { loadScript } from '../files/load-script.ts'
import { type ConfigObject, type MergeConfig, mergeConfig } from './merge-config.ts'
import { readJsonFile } from '../files/read-json-file.ts'

/** A configuration merged from its files. */
export interface Config {
  readonly value: ConfigObject
  /** The file that sets a key, or a member of its object: the last one that has it; the main file if none does. */
  readonly fileOf: (key: string, member?: string) => string
  /** The files that were read, the main file first. */
  readonly files: readonly string[]
}

interface Part {
  readonly file: string
  readonly value: ConfigObject
}

// LB3: a script stands back behind JSON as main file, and before it as a variant.
const mainEndings = ['json', 'js', 'cjs', 'mjs']
const variantEndings = ['js', 'cjs', 'mjs', 'json']

/**
 * Reads `NAME.json`, `NAME.local.json` and `NAME.ENV.json` (or scripts of these names) and merges them: the environment's
 * file overrides the local one, and both override the main file.
 * @throws {ConfigFileInvalid} a file is not valid JSON, or its script exports no object
 * @throws {ConfigMergeConflict} two files do not fit together
 * @see recordings config/local and config/production; LoopBack 3: loopback-boot, lib/config-loader.js
 */
export function readConfig(folder: AppFolder, name: string, merge: MergeConfig = mergeConfig): Config {
  const found = [
    readPart(folder, name, mainEndings),
    readPart(folder, `${name}.local`, variantEndings),
    readPart(folder, `${name}.${folder.env}`, variantEndings)
  ]
  const parts = found.filter((part) => part !== undefined)
  const mainFile = parts[0]?.file ?? folder.nameOf(join(folder.serverDir, `${name}.json`))
  return {
    value: parts.reduce<ConfigObject>((value, part) => merge(value, part.value, part.file), {}),
    fileOf: (key, member) => parts.findLast(({ value }) => has(value, key, member))?.file ?? mainFile,
    files: parts.map((part) => part.file)
  }
}

/** A configuration that a script passes instead of files. */
export function configOf(value: ConfigObject, file: string): Config {
  return { value, fileOf: () => file, files: [file] }
}

function has(value: ConfigObject, key: string, member: string | undefined): boolean {
  if (!Object.hasOwn(value, key)) return false
  const within = value[key]
  return member === undefined || (isPlainObject(within) && Object.hasOwn(within, member))
}

function readPart(folder: AppFolder, name: string, endings: readonly string[]): Part | undefined {
  for (const ending of endings) {
    const path = join(folder.serverDir, `${name}.${ending}`)
    if (isFile(path)) return readFile(folder, path)
  }
  return undefined
}

function readFile(folder: AppFolder, path: string): Part {
  const file = folder.nameOf(path)
  const value = path.endsWith('.json') ? readJsonFile(folder, path) : loadScript(folder, path)
  if (!isPlainObject(value)) throw new ConfigFileInvalid('the file must contain an object', { file })
  return { file, value }
}
