import { UnknownDataSource } from '../definition/errors.ts'
import { SharedConnection } from './connection.ts'
import type { Connector } from '../contract/connector.ts'
import type { DataSource, HealthCheck } from '../contract/data-source.ts'
import { DataSourceUnavailable, NotImplemented } from '../errors.ts'
import type { Discovery, DiscoverOptions } from '../contract/discovery.ts'
import { type ModelDefinition, pluralName } from '../definition/model-definition.ts'
import { AsyncLocalStorage } from 'node:async_hooks'

/** Returns the connector for a data source that is added, in place of its own. */
export type ChooseConnector = (dataSource: string, own: Connector) => Connector

// What builds an application may be far from what adds its data sources; it holds nothing between two of them.
const choices = new AsyncLocalStorage<ChooseConnector>()

/** Runs `work`: all data sources added by it, to any registry, get the connectors that `choose` returns. For tests. */
export const withConnectors = <Result>(choose: ChooseConnector, work: () => Result): Result => choices.run(choose, work)

/** The connector of a data source: its own, unless `withConnectors` replaces it. */
export const connectorFor: ChooseConnector = (dataSource, own) => choices.getStore()?.(dataSource, own) ?? own

/** Called with an error of a data source outside of calls. */
export type DataSourceErrorListener = (dataSource: string, error: unknown) => void

/** The data sources of an application by name. Each is opened once. */
export class DataSources extends Map<string, DataSource> {
  /** Called with errors of all of them, including those added later. */
  onError: DataSourceErrorListener | undefined
  /** Settles once all are open; undefined before opening starts, and afterwards. */
  opening: Promise<void> | undefined
  /** Replaced data sources: models may still be attached to them. */
  readonly #replaced: DataSource[] = []

  /** Adds a data source, replacing one with the same name. */
  add(name: string, connector: Connector, settings: Readonly<Record<string, unknown>>): DataSource {
    const dataSource = { name, connector, settings, connection: new SharedConnection(connector) }
    const replaced = this.get(name)
    if (replaced !== undefined) this.#replaced.push(replaced)
    this.set(name, dataSource)
    dataSource.connection.listenToErrors((error) => this.onError?.(name, error))
    return dataSource
  }

  /**
   * The data source that a model requires.
   * @throws {UnknownDataSource} there is none of this name
   */
  named(name: string, model: string): DataSource {
    const dataSource = this.get(name)
    if (dataSource !== undefined) return dataSource
    throw new UnknownDataSource(`the data source "${name}" is not configured`, { model, key: 'dataSource' })
  }

  /** Opens those that are not open yet. */
  connect(): Promise<void> {
    const opening = this.#open()
    this.opening = opening
    void this.#endOpening(opening)
    return opening
  }

  async #endOpening(opening: Promise<void>): Promise<void> {
    const [{ status }] = await Promise.allSettled([opening])
    if (status === 'fulfilled' && this.opening === opening) this.opening = undefined
  }

  async #open(): Promise<void> {
    await Promise.all(Array.from(this.values(), ({ connection }) => connection.open()))
  }

  /** Closes all of them, including replaced ones. */
  async disconnect(): Promise<void> {
    const all = [...this.values(), ...this.#replaced]
    await Promise.all(all.map(({ connection }) => connection.close()))
  }
}

/** Checks the health of a data source: it is connected, and its database answers. */
export function checkDataSource({ name, connection, connector }: DataSource): HealthCheck {
  return {
    kind: 'dataSources',
    name,
    async check() {
      if (connection.state !== 'open') throw new DataSourceUnavailable(`the connection is ${connection.state}`)
      await connector.ping()
    }
  }
}

/**
 * Returns model definitions for the tables of a data source: properties with ids, types, lengths, rules and indexes, and
 * `belongsTo` relations for foreign keys. Each can be written to a model file or passed to `define`.
 * @throws {NotImplemented} the connector has no tables
 * @example
 * ```ts
 * import { sqlite } from '@modelwire/connector-sqlite'
 * import { discoverModels } from '@modelwire/core'
 *
 * const old = app.models.addDataSource('old', sqlite())
 * await old.connection.open()
 * await old.connector.execute?.('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)')
 * console.log((await discoverModels(old)).map(({ name }) => name)) // [ 'Note' ]
 * await old.connection.close()
 * ```
 */
export async function discoverModels(
  dataSource: DataSource,
  options: DiscoverOptions = {}
): Promise<ModelDefinition[]> {
  return withOwnPlurals(await discoveryOf(dataSource).discoverModels(options))
}

/** Gives each model a path of its own: `film` and `films` have the same plural. */
function withOwnPlurals(models: readonly ModelDefinition[]): ModelDefinition[] {
  const taken = new Set(models.filter((model) => pluralName(model) === model.name).map(({ name }) => name))
  return models.map((model) => {
    const plural = pluralName(model)
    if (plural === model.name) return model
    if (!taken.has(plural)) {
      taken.add(plural)
      return model
    }
    let free = model.name
    for (let number = 2; taken.has(free); number++) free = `${model.name}${number}`
    taken.add(free)
    return { ...model, plural: free }
  })
}

/**
 * The discovery of a data source's tables.
 * @throws {NotImplemented} the connector has none
 */
export function discoveryOf({ connector }: DataSource): Discovery {
  if (connector.discovery !== undefined) return connector.discovery
  throw new NotImplemented(`the connector ${connector.name} cannot discover tables`)
}
