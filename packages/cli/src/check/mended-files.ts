import { basename, join } from 'node:path'
import { splitKey } from '@modelwire/boot/check'
import type { DefinitionError } from '@modelwire/core'
import { isPlainObject } from '@modelwire/server'
import { textOf } from './finding.ts'

/** Files with known errors removed, so that further errors are found as well. */
export interface MendedFiles {
  /** The value of a file without its errors. */
  readonly readJson: (file: string, read: () => unknown) => unknown
  /** Removes the cause of an error; false if nothing more can be removed. */
  readonly mend: (error: DefinitionError, file: string) => boolean
}

/** How the names of files begin that configure an application, and what may name an environment. */
const configName = String.raw`^(config|datasources|model-config|middleware|component-config)(?:\.[\w-]+)?`

/** Matches the names of JSON files that configure an application. */
export const configFile = new RegExp(String.raw`${configName}\.json$`)

/** Matches the names of scripts that do. */
export const configScript = new RegExp(String.raw`${configName}\.[cm]?js$`)

/** A model that names what is not there stays, and has none. */
const emptied = new Set(['dataSource'])

/** The JSON files of the application in the folder `root`. */
export function createMendedFiles(root: string): MendedFiles {
  const values = new Map<string, unknown>()
  const unread = new Set<string>()
  // A file that cannot be read defines the model that it seems to name, so that nothing misses it.
  const standIn = (file: string): unknown => {
    const name = nameIn(join(root, file))
    return name === undefined ? {} : { name }
  }
  const leaveOut = (file: string): boolean => {
    const isNew = file !== '.' && !unread.has(file)
    unread.add(file)
    values.delete(file)
    return isNew
  }
  return {
    readJson: (file, read) => {
      if (!values.has(file)) {
        values.set(file, unread.has(file) ? standIn(file) : read())
      }
      return structuredClone(values.get(file))
    },
    mend: ({ where: { key } }, file) => {
      const value = values.get(file)
      const path = key === undefined ? [] : splitKey(value, key)
      if (path.length === 0) return leaveOut(file)
      values.set(file, without(value, path))
      return true
    }
  }
}

function without(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value))
    return rest.length === 0
      ? value.filter((_item, index) => String(index) !== name)
      : value.map((item: unknown, index) => (String(index) === name ? without(item, rest) : item))
  if (!isPlainObject(value)) return value
  if (rest.length > 0) return { ...value, [name]: without(value[name], rest) }
  const { [name]: removed, ...others } = value
  return emptied.has(name) && removed !== null ? { ...others, [name]: null } : others
}

/** The name that a model file that is not valid JSON seems to give; undefined for files of configuration. */
function nameIn(path: string): string | undefined {
  if (configFile.test(basename(path))) return undefined
  return /"name"\s*:\s*"([^"]+)"/.exec(textOf(path) ?? '')?.[1]
}
