import type { StatementReport, DataSource } from '../contract/data-source.ts'

/** Called after every statement of a data source, in the asynchronous context of its caller. */
export type DataSourceStatementListener = (dataSource: DataSource, report: StatementReport) => void

/** Reports the statements of all data sources to listeners. Without `begin` or `listen` connectors measure nothing. */
export class StatementReports {
  readonly #dataSources: DataSource[] = []
  readonly #listeners: DataSourceStatementListener[] = []
  #hasBegun = false

  /**
   * Makes connectors report from now on: for code that can only listen after data sources are opened, which is too late for
   * some drivers.
   */
  begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    for (const dataSource of this.#dataSources) this.#follow(dataSource)
  }

  /** Calls `listener` after every statement, including those of later data sources. */
  listen(listener: DataSourceStatementListener): void {
    this.#listeners.push(listener)
    this.begin()
  }

  /** Includes a data source. */
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
