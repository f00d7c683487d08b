import type { Connector } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import type { AddNote } from '../../boot-report.ts'
import { expandConfig, type FindVariable } from '../config/expand-variables.ts'
import type { Config } from '../config/read-config.ts'
import { ConfigValueInvalid, ConnectorNotInstalled, type FilePlace } from '../../errors.ts'
import { moduleFactory, UnknownConnector } from '@modelwire/loopback/api'
import type { SettingsPlace } from '../mail/mail-settings.ts'
import {
  type AbsentPackage,
  absentReason,
  type ConnectorFactories,
  type ConnectorFactory,
  type ConnectorHome,
  findConnectorFactory
} from './connector-factories.ts'

type Settings = Readonly<Record<string, unknown>>

const byUrl =
  (connector: string) =>
  (url: string): Settings => ({ connector, url })

/** What a URL means, by its scheme. */
const schemes: Readonly<Record<string, (url: string) => Settings>> = {
  postgres: byUrl('postgresql'),
  postgresql: byUrl('postgresql'),
  mysql: byUrl('mysql'),
  mariadb: (url) => ({ connector: 'mysql', url: url.replace(/^mariadb:/, 'mysql:') }),
  mongodb: byUrl('mongodb'),
  'mongodb+srv': byUrl('mongodb'),
  redis: byUrl('kv-redis'),
  rediss: byUrl('kv-redis'),
  sqlite: (url) => ({ connector: 'sqlite', file: url.replace(/^sqlite:(?:\/\/)?/, '') }),
  memory: () => ({ connector: 'memory' })
}

/** Settings that a URL says in their place. */
const replaced = new Set(['connector', 'url', 'host', 'port', 'database', 'user', 'username', 'password', 'file'])

/** A data source with the connector that was created for it. */
export interface ConfiguredDataSource {
  readonly connector: Connector
  readonly settings: Readonly<Record<string, unknown>>
}

/** The context for creating the data sources. */
export interface DataSourceParts extends ConnectorHome {
  readonly config: Config
  readonly findVariable: FindVariable
  readonly connectors: ConnectorFactories
  readonly add: AddNote
  /** Refuse to start if Modelwire connectors are not installed. */
  readonly requireConnectors: boolean
}

/** A package that is not installed, and the location of the data source that requires it. */
interface Absence extends AbsentPackage {
  readonly place: SettingsPlace
}

/** A data source whose connector has not been created yet. */
interface FoundDataSource {
  readonly place: SettingsPlace
  readonly settings: Readonly<Record<string, unknown>>
  readonly factory: ConnectorFactory
}

/** Data sources by name. */
export type DataSources = Readonly<Record<string, ConfiguredDataSource>>

/**
 * Creates the connectors of `datasources.json`.
 * @throws {UnknownConnector} a connector is not named by a string
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
  'LoopBack cannot update several records, or update conditionally, in one atomic step here: such changes are atomic only within one process'

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
  throw new UnknownConnector('a connector must be a name or a connector module', at)
}

/**
 * Throws for Modelwire packages whose absence would make calls fail with 501.
 * @throws {ConnectorNotInstalled} with the packages of all of them
 */
export function refuseAbsent(absences: readonly Absence[]): void {
  const refused = absences.filter(({ isOwn, isReplaced }) => isOwn && !isReplaced)
  const [first] = refused
  if (first === undefined) return
  const names = [...new Set(refused.map(({ place }) => `"${place.key}"`))].join(', ')
  const packages = [...new Set(refused.map(({ name }) => name))].join(' ')
  const needed = refused.length === 1 ? `source ${names} requires it` : `sources ${names} require them`
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

function readSettings(parts: DataSourceParts, name: string, file: string): Record<string, unknown> {
  const place = { file, key: name }
  const settings = expandConfig(parts.config.value[name], parts, place)
  if (isPlainObject(settings)) return { name, ...withUrlFrom(settings, parts.findVariable, place) }
  throw new ConfigValueInvalid('a data source must be an object', place)
}

/**
 * The settings of a data source with the URL from the environment variable that its `urlFrom` names, whose scheme selects
 * the connector. If the variable is unset, the settings are used unchanged.
 * @throws {ConfigValueInvalid} the variable holds no URL of a database
 */
export function withUrlFrom({ urlFrom, ...settings }: Settings, find: FindVariable, place: FilePlace): Settings {
  if (urlFrom === undefined || urlFrom === null) return settings
  if (typeof urlFrom !== 'string')
    throw new ConfigValueInvalid('urlFrom must be the name of a variable', { ...place, key: `${place.key}.urlFrom` })
  const url = find(urlFrom)
  if (url === undefined || url === '') return settings
  const scheme = /^([a-z+]+):/.exec(String(url))?.[1] ?? ''
  const read = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined
  if (read !== undefined) {
    const kept = Object.entries(settings).filter(([name]) => !replaced.has(name))
    return { ...Object.fromEntries(kept), ...read(String(url)) }
  }
  // Not the text itself: it may hold a password.
  const known = Object.keys(schemes).join(', ')
  throw new ConfigValueInvalid(`the variable ${urlFrom} must contain a URL that starts with one of ${known}`, {
    ...place,
    key: `${place.key}.urlFrom`
  })
}
