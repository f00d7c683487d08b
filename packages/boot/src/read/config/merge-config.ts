import { isPlainObject, setOwn } from '@modelwire/server'
import { ConfigMergeConflict } from '../../errors.ts'

/** A configuration file as a value. */
export type ConfigObject = Record<string, unknown>

/** Merges the values of a file over those of the preceding files. */
export type MergeConfig = (base: ConfigObject, over: ConfigObject, file: string) => ConfigObject

/**
 * Merges two configurations deeply: lists of the same length item by item, null as it is. Neither is changed.
 * @throws {ConfigMergeConflict} a value is of another kind than the one it replaces, or a list of another length
 * @see LoopBack 3: loopback-boot, lib/config-loader.js
 */
export const mergeConfig: MergeConfig = (base, over, file) => mergeObjects(base, over, { file, key: '' })

interface Place {
  readonly file: string
  readonly key: string
}

function below({ file, key }: Place, name: string): Place {
  return { file, key: key === '' ? name : `${key}.${name}` }
}

function mergeObjects(base: ConfigObject, over: ConfigObject, place: Place): ConfigObject {
  const merged = { ...base }
  for (const [name, value] of Object.entries(over))
    setOwn(merged, name, mergeValues(base[name], value, below(place, name)))
  return merged
}

function mergeValues(base: unknown, over: unknown, place: Place): unknown {
  if (base === null || base === undefined || over === null) return over
  if (Array.isArray(base)) return mergeLists(base, over, place)
  if (isPlainObject(base)) {
    if (isPlainObject(over)) return mergeObjects(base, over, place)
    throw new ConfigMergeConflict('the main file has an object here, this file does not', { ...place })
  }
  if (typeof over === 'object') throw new ConfigMergeConflict('the main file has a single value here', { ...place })
  return over
}

function mergeLists(base: readonly unknown[], over: unknown, place: Place): unknown[] {
  if (!Array.isArray(over))
    throw new ConfigMergeConflict('the main file has a list here, this file does not', { ...place })
  if (base.length !== over.length) {
    throw new ConfigMergeConflict(
      `the list has ${over.length} items, the main file has ${base.length}: LoopBack merges item by item`,
      { ...place }
    )
  }
  return base.map((item, index) => mergeValues(item, over[index], below(place, String(index))))
}
