import type { DataSource } from '@modelwire/core'
import { isFunction } from '../../callback-bridge.ts'
import { scriptConnector } from './script-connector.ts'

/** True where the connector keeps records. */
export const hasRecords = ({ connector }: DataSource): boolean => typesOf(connector).includes('db')

/**
 * What LoopBack calls the kinds of a connector: `db`, and `rdbms` and `sql` or `nosql`; none for one without records.
 * @see LoopBack 3: loopback-connector, lib/sql.js, and loopback-datasource-juggler, lib/connectors/memory.js, getTypes
 */
export function typesOf(connector: DataSource['connector']): readonly string[] {
  const shown: unknown = scriptConnector(connector)
  const tell: unknown = Reflect.get(Object(shown), 'getTypes')
  if (isFunction(tell)) return Array.from(tell.call(shown) as Iterable<string>) // a connector of LoopBack
  if (connector.capabilities.operations.size === 0) return []
  const kinds = connector.discovery === undefined ? ['db', 'nosql'] : ['db', 'rdbms', 'sql']
  return [...kinds, connector.name]
}
