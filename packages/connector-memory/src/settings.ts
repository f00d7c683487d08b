import { fillDefaults, InvalidOption, type WithDefaults } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'
import { Errors } from '@sinclair/typebox/errors'

/** Settings of the memory connector. Others are ignored, so that LoopBack's `datasources.json` can be used as it is. */
export const MemorySettingsSchema = Type.Object({
  file: Type.Optional(
    Type.String({
      description:
        'file that stores the records, relative to the working directory; if absent or empty, records are lost when the process ends'
    })
  ),
  sync: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'wait until each change is on disk: a power failure loses nothing that was acknowledged'
    })
  ),
  rewriteAtEnd: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'write the whole file whenever the process ends, however large it is and however little changed: LoopBack 3 does not read the journal'
    })
  ),
  transactions: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'support transactions, as databases do; LoopBack’s connector does not'
    })
  )
})
/** Settings of the memory connector. */
export type MemorySettings = Static<typeof MemorySettingsSchema>
/** The settings with their defaults. */
export type ReadSettings = WithDefaults<typeof MemorySettingsSchema>

/**
 * Picks the connector's own settings from those of a data source.
 * @throws {InvalidOption} a setting has the wrong type
 */
export function readSettings(settings: Readonly<Record<string, unknown>>): ReadSettings {
  const present = Object.fromEntries(Object.entries(settings).filter(isSet))
  const problem = Errors(MemorySettingsSchema, [], present).First()
  // They have just been checked.
  if (problem === undefined) return fillDefaults(MemorySettingsSchema, present as MemorySettings)
  const key = problem.path.slice(1)
  throw new InvalidOption(`the memory connector's ${key} must be ${expected[key] ?? 'right'}`, { key })
}

/** LB3: an empty file, as generated `datasources.json` have it, is none; lib/connectors/memory.js, loadFromFile. */
const isSet = ([key, value]: readonly [string, unknown]): boolean =>
  value !== undefined && value !== null && (key !== 'file' || value !== '')

const expected: Readonly<Record<string, string>> = {
  file: 'the path of a file',
  sync: 'true or false',
  rewriteAtEnd: 'true or false',
  transactions: 'true or false'
}
