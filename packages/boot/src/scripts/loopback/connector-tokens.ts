import type { Connector } from '@modelwire/core/connector'
import { isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { moduleFactory } from '../../connectors/loopback-connectors.ts'
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

/** LB3: a constructor whose instances have methods is a connector of LoopBack's; a plain function makes one of ours. */
const isConstructor = (given: ScriptFunction): boolean => {
  const prototype: unknown = Reflect.get(given, 'prototype')
  return (
    /^class\b/.test(Function.prototype.toString.call(given)) || Object.getOwnPropertyNames(Object(prototype)).length > 1
  )
}

/** True for the module of a connector that was written for LoopBack. */
const isOfLoopBack = (given: unknown): boolean =>
  isFunction(Reflect.get(Object(given), 'initialize')) || (isFunction(given) && isConstructor(given))

/** True for a connector of `@modelwire/core`. */
export const isConnector = (given: unknown): given is Connector =>
  typeof given === 'object' && given !== null && 'collection' in given && 'connect' in given

/** True for what can only be a connector: the first argument of `new DataSource(connector, settings)`. */
export const isConnectorModule = (given: unknown): boolean =>
  isFunction(given) || isConnector(given) || isOfLoopBack(given)

/**
 * The connector that the settings of a script name: its name, or a function that makes it. Modules and constructors that were written
 * for LoopBack are driven.
 * @throws {UnknownConnector} it is none
 */
export function readConnector(given: unknown): string | MakeConnector | undefined {
  if (given === undefined || given === null || typeof given === 'string') return given ?? undefined
  const name: unknown = Reflect.get(Object(given), named)
  if (typeof name === 'string') return name
  if (isConnector(given)) return () => given
  if (isOfLoopBack(given)) return moduleFactory(given) ?? refuseConnector
  if (isFunction(given)) return given
  const inner: unknown = Reflect.get(Object(given), 'default')
  return isConnectorModule(inner) ? readConnector(inner) : refuseConnector()
}

function refuseConnector(): never {
  throw new UnknownConnector('a connector is a name, the module of a connector, or a function that makes one')
}
