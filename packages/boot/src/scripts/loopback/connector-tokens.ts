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

/**
 * LB3: a constructor whose instances have methods is a connector of LoopBack's; a plain function makes a Modelwire
 * connector.
 */
const isConstructor = (value: ScriptFunction): boolean => {
  const prototype: unknown = Reflect.get(value, 'prototype')
  return (
    /^class\b/.test(Function.prototype.toString.call(value)) || Object.getOwnPropertyNames(Object(prototype)).length > 1
  )
}

/** True for the module of a connector that was written for LoopBack. */
const isOfLoopBack = (value: unknown): boolean =>
  isFunction(Reflect.get(Object(value), 'initialize')) || (isFunction(value) && isConstructor(value))

/** True for a connector of `@modelwire/core`. */
export const isConnector = (value: unknown): value is Connector =>
  typeof value === 'object' && value !== null && 'collection' in value && 'connect' in value

/** True for what can only be a connector: the first argument of `new DataSource(connector, settings)`. */
export const isConnectorModule = (value: unknown): boolean =>
  isFunction(value) || isConnector(value) || isOfLoopBack(value)

/**
 * The connector that the settings of a script name: its name, or a function that makes it. Modules and constructors that were written
 * for LoopBack are driven.
 * @throws {UnknownConnector} it is none
 */
export function readConnector(value: unknown): string | MakeConnector | undefined {
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined
  const name: unknown = Reflect.get(Object(value), named)
  if (typeof name === 'string') return name
  if (isConnector(value)) return () => value
  if (isOfLoopBack(value)) return moduleFactory(value) ?? refuseConnector
  if (isFunction(value)) return value
  const inner: unknown = Reflect.get(Object(value), 'default')
  return isConnectorModule(inner) ? readConnector(inner) : refuseConnector()
}

function refuseConnector(): never {
  throw new UnknownConnector('a connector is a name, the module of a connector, or a function that makes one')
}
