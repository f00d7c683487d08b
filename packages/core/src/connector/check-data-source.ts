import type { DataSource } from '../contract/data-source.ts'
import type { HealthCheck } from '../contract/health-check.ts'
import { DataSourceUnavailable } from '../errors.ts'

/** The health of a data source: it is connected, and its database answers. */
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
