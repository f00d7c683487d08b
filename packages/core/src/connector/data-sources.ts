import { UnknownDataSource } from '../definition/errors.ts'
import { SharedConnection } from './connection.ts'
import type { Connector } from '../contract/connector.ts'
import type { DataSource } from '../contract/data-source.ts'

/** Called with an error of a data source that belongs to no call. */
export type DataSourceErrorListener = (dataSource: string, error: unknown) => void

/** The data sources of an application by name. Each is opened once. */
export class DataSources extends Map<string, DataSource> {
  /** Called with errors of all of them, later ones included. */
  onError: DataSourceErrorListener | undefined
  /** Settled once all are open; undefined before they are to be opened, and afterwards. */
  opening: Promise<void> | undefined
  /** Those whose names others have now: models may still be attached to them. */
  readonly #replaced: DataSource[] = []

  /** Adds a data source; one of the same name is replaced. */
  add(name: string, connector: Connector, settings: Readonly<Record<string, unknown>>): DataSource {
    const dataSource = { name, connector, settings, connection: new SharedConnection(connector) }
    const replaced = this.get(name)
    if (replaced !== undefined) this.#replaced.push(replaced)
    this.set(name, dataSource)
    dataSource.connection.listenToErrors((error) => this.onError?.(name, error))
    return dataSource
  }

  /** The data source that a model wants. @throws {UnknownDataSource} there is none of this name */
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

  /** Closes all of them, those that were replaced included. */
  async disconnect(): Promise<void> {
    const all = [...this.values(), ...this.#replaced]
    await Promise.all(all.map(({ connection }) => connection.close()))
  }
}
