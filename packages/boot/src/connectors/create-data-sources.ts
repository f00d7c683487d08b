import type { Connector } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/core/plugin'
import type { AddNote } from '../boot-report.ts'
import { expandConfig, type FindVariable } from '../config/expand-variables.ts'
import type { Config } from '../config/read-config.ts'
import { ConfigValueInvalid, ConnectorNotInstalled, UnknownConnector } from '../errors.ts'
import type { SettingsPlace } from '../mail/mail-settings.ts'
import {
  type AbsentPackage,
  type ConnectorFactories,
  type ConnectorFactory,
  type ConnectorHome,
  findConnectorFactory
} from './connector-factories.ts'
import { moduleFactory } from './loopback-connectors.ts'
import { withUrlFrom } from './url-from.ts'

/** A data source with the connector that was made for it. */
export interface ConfiguredDataSource {
  readonly connector: Connector
  readonly settings: Readonly<Record<string, unknown>>
}

/** The context of making the data sources. */
export interface DataSourceParts extends ConnectorHome {
  readonly config: Config
  readonly findVariable: FindVariable
  readonly connectors: ConnectorFactories
  readonly add: AddNote
  /** Refuse connectors of Modelwire that are not installed. */
  readonly requireConnectors: boolean
}

/** A package that is not installed, and the place of the data source that needs it. */
interface Absence extends AbsentPackage {
  readonly place: SettingsPlace
}

/** A data source whose connector is not made yet. */
interface FoundDataSource {
  readonly place: SettingsPlace
  readonly settings: Readonly<Record<string, unknown>>
  readonly factory: ConnectorFactory
}

/** Data sources by name. */
export type DataSources = Readonly<Record<string, ConfiguredDataSource>>

/**
 * Makes the connectors of `datasources.json`.
 * @throws {UnknownConnector} a connector is named by something else than a text
 * @throws {ConfigValueInvalid} a data source is not an object, or the settings of mail are malformed
 * @throws {InvalidOption} a connector refuses its settings
 * @throws {ConnectorNotInstalled} connectors of Modelwire are required and not installed; none was made
 */
export function createDataSources(parts: DataSourceParts): DataSources {
  const absences: Absence[] = []
  const found = Object.keys(parts.config.value).map((name) => findDataSource(parts, name, absences))
  if (parts.requireConnectors) refuseAbsent(absences)
  for (const { place, ...absent } of absences) noteAbsent(parts.add, place, absent)
  return Object.fromEntries(found.map((one) => [one.place.key, createDataSource(one, parts.add)]))
}

function findDataSource(parts: DataSourceParts, name: string, absences: Absence[]): FoundDataSource {
  const place = { file: parts.config.fileOf(name), key: name }
  const settings = readSettings(parts, name, place.file)
  return { place, settings, factory: factoryOf(parts, settings['connector'] ?? name, place, absences) }
}

function createDataSource({ place, settings, factory }: FoundDataSource, add: AddNote): ConfiguredDataSource {
  const connector = factory(settings)
  const { atomicity, operations } = connector.capabilities
  if (atomicity === 'process' && operations.size > 0) add('info', place, ofProcess)
  return { connector, settings }
}

const ofProcess =
  'LoopBack has no way to make a change of several records, or one with a condition, atomic here: it is so within one process'

/** LB3: a data source without a connector has the one of its own name, and code may give the connector's module. */
function factoryOf(
  parts: DataSourceParts,
  written: unknown,
  place: SettingsPlace,
  absences: Absence[]
): ConnectorFactory {
  const at = { file: place.file, key: `${place.key}.connector` }
  if (typeof written === 'string')
    return findConnectorFactory(parts, written, parts.connectors, place, (absent) =>
      absences.push({ ...absent, place })
    )
  const factory = moduleFactory(written)
  if (factory !== undefined) return factory
  throw new UnknownConnector('a connector must be a name or the module of a connector', at)
}

/**
 * Refuses what the installation of packages of Modelwire would change from 501 into answers.
 * @throws {ConnectorNotInstalled} with the packages of all of them
 */
export function refuseAbsent(absences: readonly Absence[]): void {
  const refused = absences.filter(({ isOwn, isReplaced }) => isOwn && !isReplaced)
  const [first] = refused
  if (first === undefined) return
  const names = [...new Set(refused.map(({ place }) => `"${place.key}"`))].join(', ')
  const packages = [...new Set(refused.map(({ name }) => name))].join(' ')
  const needed = refused.length === 1 ? `source ${names} needs it` : `sources ${names} need them`
  throw new ConnectorNotInstalled(`npm install ${packages} first: the data ${needed}`, {
    file: first.place.file,
    key: `${first.place.key}.connector`
  })
}

/** Reports that the package of a data source's connector is not installed. */
export function noteAbsent(add: AddNote, { file, key }: SettingsPlace, absent: AbsentPackage): void {
  const { advice, isReplaced, name: missingPackage } = absent
  const place = { file, key: `${key}.connector` }
  if (isReplaced) add('info', place, absentReason(absent), { advice, missingPackage })
  else add('ignored', place, absentReason(absent), { advice, missingPackage, effect: 'fails' })
}

/** What it means that the package of a connector is not installed. */
export function absentReason({ connector, isReplaced }: AbsentPackage): string {
  return isReplaced
    ? "LoopBack's own connector is used: migrate and discover work only with the one of Modelwire"
    : `the connector "${connector}" is not installed: whatever uses the data source is answered with 501`
}

function readSettings(parts: DataSourceParts, name: string, file: string): Record<string, unknown> {
  const place = { file, key: name }
  const settings = expandConfig(parts.config.value[name], parts, place)
  if (isPlainObject(settings)) return { name, ...withUrlFrom(settings, parts.findVariable, place) }
  throw new ConfigValueInvalid('a data source is an object', place)
}
