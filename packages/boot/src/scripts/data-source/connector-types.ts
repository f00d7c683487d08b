import type { DataSource } from '@modelwire/core/connector'
import { isFunction } from '../../callback-bridge.ts'
import { scriptConnector } from './script-connector.ts'

/** True where the connector keeps records. */
export const hasRecords = ({ connector }: DataSource): boolean => typesOf(connector).includes('db')

/** The types of a connector for scripts. */
export function typesOf(connector: DataSource['connector']): readonly string[] {
  const shown: unknown = scriptConnector(connector)
  const getTypes: unknown = Reflect.get(Object(shown), 'getTypes')
  return isFunction(getTypes) ? Array.from(getTypes.call(shown) as Iterable<string>) : [] // a list of names
}
