import { type Connector, isPlainObject } from '@modelwire/core'
import type { AppFolder } from '../app-folder.ts'
import type { AddNote } from '../boot-report.ts'
import { expandVariables, type FindVariable } from '../config/expand-variables.ts'
import type { Config } from '../config/read-config.ts'
import { ConfigValueInvalid, UnknownConnector } from '../errors.ts'
import { type ConnectorFactories, connectorName, findConnectorFactory, laterConnectors } from './connector-factories.ts'

/** A data source with the connector that was made for it. */
export interface ConfiguredDataSource {
  readonly connector: Connector
  readonly settings: Readonly<Record<string, unknown>>
}

/** Which names models may use, and which of them hold records. */
export interface DataSourceNames {
  readonly known: ReadonlySet<string>
  readonly usable: ReadonlySet<string>
}

/** What making the data sources needs. */
export interface DataSourceParts {
  readonly folder: AppFolder
  readonly config: Config
  readonly findVariable: FindVariable
  readonly connectors: ConnectorFactories
  readonly add: AddNote
}

/** The data sources of `datasources.json`. */
export interface DataSources extends DataSourceNames {
  readonly byName: Readonly<Record<string, ConfiguredDataSource>>
}

/**
 * Makes the connectors of `datasources.json`.
 * @throws {UnknownConnector} a connector does not exist
 * @throws {ConfigValueInvalid} a data source is no object
 * @throws {InvalidOption} a connector refuses its settings
 */
export async function createDataSources(parts: DataSourceParts): Promise<DataSources> {
  const names = Object.keys(parts.config.value)
  const made = await Promise.all(names.map(async (name) => [name, await createDataSource(parts, name)] as const))
  const byName = Object.fromEntries(
    made.filter((entry): entry is [string, ConfiguredDataSource] => entry[1] !== undefined)
  )
  return { byName, known: new Set(names), usable: new Set(Object.keys(byName)) }
}

async function createDataSource(parts: DataSourceParts, name: string): Promise<ConfiguredDataSource | undefined> {
  const { folder, config, connectors, add } = parts
  const file = config.fileOf(name)
  const settings = readSettings(parts, name, file)
  // LB3: a data source without a connector has the one of its own name.
  const written = settings['connector'] ?? name
  const place = { file, key: `${name}.connector` }
  if (typeof written !== 'string') throw new UnknownConnector('a connector is named by a text', place)
  const later = connectors[written] === undefined ? laterConnectors.get(connectorName(written)) : undefined
  if (later !== undefined) {
    add('ignored', { file, key: name }, `${later} comes with a later release`)
    return undefined
  }
  const factory = await findConnectorFactory(folder, written, connectors, place)
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
      `\${${variable}} is neither a setting nor an environment variable: the value is left out`
    )
  })
  if (isPlainObject(settings)) return { name, ...settings }
  throw new ConfigValueInvalid('a data source is an object', { file, key: name })
}
