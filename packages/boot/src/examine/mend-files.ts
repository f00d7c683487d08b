import { isPlainObject } from '@modelwire/core/plugin'
import type { DefinitionError } from '@modelwire/core'
import { splitKey } from '../config/find-json-key.ts'

/** Files as they would be without the mistakes that were found, so that what is behind those is found as well. */
export interface MendedFiles {
  /** The value of a file without its mistakes. */
  readonly readJson: (file: string, read: () => unknown) => unknown
  /** Leaves out what an error is about; false when nothing more can be left out. */
  readonly mend: (error: DefinitionError, file: string) => boolean
}

/** Where the mistakes were, and what the files hold without them. */
export function createMendedFiles(nameFor: (file: string) => string | undefined): MendedFiles {
  const values = new Map<string, unknown>()
  const unread = new Set<string>()
  // A file that cannot be read defines the model that it seems to name, so that nothing misses it.
  const standIn = (file: string): unknown => {
    const name = nameFor(file)
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

/** A model that names what is not there stays, and has none. */
const emptied = new Set(['dataSource'])

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
