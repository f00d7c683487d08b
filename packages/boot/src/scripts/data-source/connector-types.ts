import type { DataSource } from '@modelwire/core/connector'
import { isFunction } from '../../callback-bridge.ts'
import { scriptConnector } from './script-connector.ts'

/** True where the connector keeps records. */
export const hasRecords = ({ connector }: DataSource): boolean => typesOf(connector).includes('db')

/** The kinds of a connector as it tells them to scripts. */
export function typesOf(connector: DataSource['connector']): readonly string[] {
  const shown: unknown = scriptConnector(connector)
  const tell: unknown = Reflect.get(Object(shown), 'getTypes')
  return isFunction(tell) ? Array.from(tell.call(shown) as Iterable<string>) : [] // a list of names
}
