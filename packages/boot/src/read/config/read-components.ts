import { resolveFrom } from '@modelwire/loopback/express'
import type { AppFolder } from '../files/app-folder.ts'
import type { AddNote } from '../../boot-report.ts'
import { expandConfig, type FindVariable } from './expand-variables.ts'
import type { Config } from './read-config.ts'
import { ConfigValueInvalid, UnknownComponent } from '../../errors.ts'
import { isPlainObject } from '@modelwire/server'

/** An enabled component of `component-config.json`. */
export interface ComponentEntry {
  readonly name: string
  readonly params: Readonly<Record<string, unknown>>
  readonly file: string
  /** The module of a custom component: a file of the application, or a package installed there. */
  readonly script: string | undefined
}

/** The context for reading components, besides the file. */
export interface ComponentReading {
  readonly folder: AppFolder
  readonly findVariable: FindVariable
  /** Components that this server provides, by name. */
  readonly available: ReadonlySet<string>
  readonly add: AddNote
}

/** Components of LoopBack without a counterpart here, each with its replacement. */
export const absentComponents: ReadonlyMap<string, string> = new Map([
  [
    'loopback-component-push',
    "push notifications are not part of Modelwire: use web-push, or the service's own library, in a script"
  ]
])

/**
 * The components that this server can set up. The report lists all others.
 * @throws {UnknownComponent} a component is neither known nor installed
 */
export function readComponents(config: Config, reading: ComponentReading): ComponentEntry[] {
  return Object.keys(config.value).flatMap((name) => readComponent(name, config, reading))
}

function readComponent(name: string, config: Config, reading: ComponentReading): ComponentEntry[] {
  const file = config.fileOf(name)
  const place = { file, key: name }
  const written = config.value[name]
  const value = written === true ? {} : written
  // LB3: null and false leave a component out.
  if (value === null || value === false) return []
  if (!isPlainObject(value)) throw new ConfigValueInvalid('a component must be an object or null', place)
  const script = reading.available.has(name) ? undefined : scriptOf(name, place, reading)
  if (script === undefined && !reading.available.has(name)) return []
  const params = expandConfig(value, reading, place)
  return [{ name, params: params as Record<string, unknown>, file, script }] // an object stays one
}

/** @throws {UnknownComponent} the component is neither known nor installed */
function scriptOf(
  name: string,
  place: { file: string; key: string },
  { folder, add }: ComponentReading
): string | undefined {
  const absent = absentComponents.get(name)
  if (absent !== undefined) {
    add('ignored', place, absent, { advice: 'set the component to null to omit it' })
    return undefined
  }
  const path = resolveFrom([folder.serverDir], name)
  if (path !== undefined) return path
  throw new UnknownComponent(`unknown component "${name}": no package of this name is installed`, place)
}
