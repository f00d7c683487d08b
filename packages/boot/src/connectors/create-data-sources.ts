import { type Connector, isPlainObject } from '@modelwire/core'
import type { AddNote } from '../boot-report.ts'
import { expandVariables, type FindVariable, unsetVariable } from '../config/expand-variables.ts'
import type { Config } from '../config/read-config.ts'
import { ConfigValueInvalid, UnknownConnector } from '../errors.ts'
import { type ConnectorFactories, type ConnectorHome, findConnectorFactory } from './connector-factories.ts'

/** A data source with the connector that was made for it. */
export interface ConfiguredDataSource {
  readonly connector: Connector
  readonly settings: Readonly<Record<string, unknown>>
}

/** What making the data sources needs. */
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
 * @throws {UnknownConnector} a connector does not exist
 * @throws {ConfigValueInvalid} a data source is no object, or the settings of mail are malformed
 * @throws {InvalidOption} a connector refuses its settings
 */
export function createDataSources(parts: DataSourceParts): DataSources {
  const names = Object.keys(parts.config.value)
  return Object.fromEntries(names.map((name) => [name, createDataSource(parts, name)]))
}

function createDataSource(parts: DataSourceParts, name: string): ConfiguredDataSource {
  const { config, connectors } = parts
  const file = config.fileOf(name)
  const settings = readSettings(parts, name, file)
  // LB3: a data source without a connector has the one of its own name.
  const written = settings['connector'] ?? name
  if (typeof written !== 'string')
    throw new UnknownConnector('a connector is named by a text', { file, key: `${name}.connector` })
  const factory = findConnectorFactory(parts, written, connectors, { file, key: name })
  return { connector: factory(settings), settings }
}

function readSettings(
  { config, findVariable, add }: DataSourceParts,
  name: string,
  file: string
): Record<string, unknown> {
  const settings = expandVariables(config.value[name], findVariable, (variable) => {
    add(
      'ignored',
      { file, key: name },
      `\${${variable}} is neither a setting nor an environment variable: the value is left out`,
      unsetVariable
    )
  })
  if (isPlainObject(settings)) return { name, ...settings }
  throw new ConfigValueInvalid('a data source is an object', { file, key: name })
}
