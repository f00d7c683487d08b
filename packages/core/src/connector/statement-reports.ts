import type { StatementReport } from '../contract/connector-activity.ts'
import type { DataSource } from '../contract/data-source.ts'

/** Called after every statement of a data source, in the asynchronous context of its caller. */
export type DataSourceStatementListener = (dataSource: DataSource, report: StatementReport) => void

/** The statements of all data sources, for those who listen. Without `begin` or `listen` connectors measure nothing. */
export class StatementReports {
  readonly #dataSources: DataSource[] = []
  readonly #listeners: DataSourceStatementListener[] = []
  #hasBegun = false

  /**
   * Has connectors report from now on: for code that can listen only after data sources are opened, which is too late for some
   * drivers.
   */
  begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    for (const dataSource of this.#dataSources) this.#follow(dataSource)
  }

  /** Calls `listener` after every statement, later data sources included. */
  listen(listener: DataSourceStatementListener): void {
    this.#listeners.push(listener)
    this.begin()
  }

  /** Counts a data source among them. */
  add(dataSource: DataSource): DataSource {
    this.#dataSources.push(dataSource)
    if (this.#hasBegun) this.#follow(dataSource)
    return dataSource
  }

  #follow(dataSource: DataSource): void {
    dataSource.connector.activity?.listen((report) => {
      for (const listener of this.#listeners) listener(dataSource, report)
    })
  }
}
