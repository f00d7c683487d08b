import { DataSourceUnavailable } from '@modelwire/core'
import type { ConnectionWatcher } from '@modelwire/core/connector'
import type { JugglerDataSource } from './data-source.ts'

/** Reports the events `error`, `disconnected` and `connected` of a connector to `watcher`. */
export function watchEvents(dataSource: JugglerDataSource, watcher: ConnectionWatcher): void {
  dataSource.on('error', (error: unknown) => {
    // While it connects, the waiting caller gets the error.
    if (dataSource.connected) watcher.error(error)
  })
  dataSource.on('disconnected', () => {
    if (!dataSource.connected) return
    // The next operation connects again.
    dataSource.connected = false
    watcher.error(new DataSourceUnavailable(`the data source ${dataSource.name} lost its database`))
    watcher.lost()
  })
  dataSource.on('connected', () => {
    watcher.restored()
  })
}
