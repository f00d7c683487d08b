import { InvalidOption } from '@modelwire/core'

/** Settings of the memory connector. Others are ignored, so that LoopBack's `datasources.json` can be used as it is. */
export interface MemorySettings {
  /** The file that keeps the records, relative to the working directory. Absent: records end with the process. */
  readonly file?: string | undefined
  /** Waits until the disk has every change before it is acknowledged: a power cut loses nothing. Default false. */
  readonly sync?: boolean | undefined
}

/**
 * Takes the connector's own settings from those of a data source.
 * @throws {InvalidOption} a setting has the wrong type
 */
export function readSettings(settings: Readonly<Record<string, unknown>>): MemorySettings {
  const { file, sync } = settings
  if (isGiven(file) && (typeof file !== 'string' || file === '')) throw wrongSetting('file', 'the path of a file')
  if (isGiven(sync) && typeof sync !== 'boolean') throw wrongSetting('sync', 'true or false')
  return { file: typeof file === 'string' ? file : undefined, sync: sync === true }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

function wrongSetting(key: string, expected: string): InvalidOption {
  return new InvalidOption(`the memory connector's ${key} must be ${expected}`, { key })
}
