import { isFunction } from '../../callback-bridge.ts'
import { UnknownConnector } from '../../errors.ts'
import { memberError, refusedClass } from '../refuse-member.ts'

const named: unique symbol = Symbol('connector')

/** `loopback.Memory` and its kin: they name a connector where a data source is made, and cannot be used by themselves. */
function connectorToken(member: string, name: string): object {
  const token = function (): never {
    throw memberError(`loopback.${member}`, `make a data source: loopback.createDataSource({ connector: '${name}' })`)
  }
  return Object.defineProperties(token, { name: { value: member }, [named]: { value: name } })
}

/** The connectors that the module `loopback` has. */
export const connectorTokens: Readonly<Record<string, object>> = {
  Memory: connectorToken('Memory', 'memory'),
  Mail: connectorToken('Mail', 'mail'),
  Remote: connectorToken('Remote', 'remote'),
  Connector: refusedClass(
    'loopback.Connector',
    'write a connector with @modelwire/core and pass it in the option connectors, or by app.connector(name, factory)'
  )
}

/** Makes a connector from the settings of a data source. */
export type MakeConnector = (settings: Readonly<Record<string, unknown>>) => unknown

/**
 * The connector that the settings of a script name, as its name or as a function that makes it.
 * @throws {UnknownConnector} it is one that was written for LoopBack
 */
export function readConnector(given: unknown): string | MakeConnector | undefined {
  if (given === undefined || given === null || typeof given === 'string') return given ?? undefined
  const name: unknown = Reflect.get(Object(given), named)
  if (typeof name === 'string') return name
  const factory: unknown = isFunction(given) ? given : Reflect.get(Object(given), 'default')
  if (isFunction(factory) && !('initialize' in Object(given))) return factory
  throw new UnknownConnector(
    'connectors that were written for LoopBack cannot be used: name the connector, such as { connector: "mysql" }'
  )
}
