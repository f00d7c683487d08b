import type { Connector } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/core/plugin'
import type { AddNote } from '../boot-report.ts'
import { expandConfig, type FindVariable } from '../config/expand-variables.ts'
import type { Config } from '../config/read-config.ts'
import { ConfigValueInvalid, UnknownConnector } from '../errors.ts'
import type { SettingsPlace } from '../mail/mail-settings.ts'
import {
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
}

/** Data sources by name. */
export type DataSources = Readonly<Record<string, ConfiguredDataSource>>

/**
 * Makes the connectors of `datasources.json`.
 * @throws {UnknownConnector} a connector is named by something else than a text
 * @throws {ConfigValueInvalid} a data source is not an object, or the settings of mail are malformed
 * @throws {InvalidOption} a connector refuses its settings
 */
export function createDataSources(parts: DataSourceParts): DataSources {
  const names = Object.keys(parts.config.value)
  return Object.fromEntries(names.map((name) => [name, createDataSource(parts, name)]))
}

function createDataSource(parts: DataSourceParts, name: string): ConfiguredDataSource {
  const file = parts.config.fileOf(name)
  const settings = readSettings(parts, name, file)
  const connector = factoryOf(parts, settings['connector'] ?? name, { file, key: name })(settings)
  const { atomicity, operations } = connector.capabilities
  if (atomicity === 'process' && operations.size > 0) parts.add('info', { file, key: name }, ofProcess)
  return { connector, settings }
}

const ofProcess =
  'LoopBack has no way to make a change of several records, or one with a condition, atomic here: it is so within one process'

/** LB3: a data source without a connector has the one of its own name, and code may give the connector's module. */
function factoryOf(parts: DataSourceParts, written: unknown, place: SettingsPlace): ConnectorFactory {
  const { connectors, add } = parts
  const at = { file: place.file, key: `${place.key}.connector` }
  if (typeof written === 'string')
    return findConnectorFactory(parts, written, connectors, place, noteMissing(add, written, place))
  const factory = moduleFactory(written)
  if (factory !== undefined) return factory
  throw new UnknownConnector('a connector must be a name or the module of a connector', at)
}

/** Reports that the connector of a data source is not installed. */
export function noteMissing(add: AddNote, written: string, { file, key }: SettingsPlace): (advice: string) => void {
  const reason = `the connector "${written}" is not installed: whatever uses the data source is answered with 501`
  return (advice) => add('ignored', { file, key: `${key}.connector` }, reason, { advice, effect: 'fails' })
}

function readSettings(parts: DataSourceParts, name: string, file: string): Record<string, unknown> {
  const place = { file, key: name }
  const settings = expandConfig(parts.config.value[name], parts, place)
  if (isPlainObject(settings)) return { name, ...withUrlFrom(settings, parts.findVariable, place) }
  throw new ConfigValueInvalid('a data source is an object', place)
}
