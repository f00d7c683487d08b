import type { Connector } from '@modelwire/core/connector'
import { isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { UnknownConnector } from '../../errors.ts'
import { memberError, refusedClass } from '../../script-members.ts'
import { createRequire } from 'node:module'
import type * as Loopback from '@modelwire/connector-loopback'

const named: unique symbol = Symbol('connector')

/** `loopback.Memory` and its kin: they name a connector where a data source is made, and cannot be used by themselves. */
function connectorToken(member: string, name: string): object {
  const token = function (): never {
    throw memberError(`loopback.${member}`, `make a data source: loopback.createDataSource({ connector: '${name}' })`)
  }
  return Object.defineProperties(token, { name: { value: member }, [named]: { value: name } })
}

/** The connectors of the module `loopback`. */
export const connectorTokens: Readonly<Record<string, object>> = {
  Memory: connectorToken('Memory', 'memory'),
  Mail: connectorToken('Mail', 'mail'),
  Remote: connectorToken('Remote', 'remote'),
  Connector: refusedClass(
    'loopback.Connector',
    'write a connector with @modelwire/core and pass it in the option connectors, or with app.connector(name, factory)'
  )
}

/** Creates a connector from the settings of a data source. */
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

/** True for a value that can only be a connector: the first argument of `new DataSource(connector, settings)`. */
export const isConnectorModule = (value: unknown): boolean =>
  isFunction(value) || isConnector(value) || isOfLoopBack(value)

/**
 * The connector in a script's settings: its name, or a function that creates it. Modules and constructors written for
 * LoopBack are wrapped.
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
  throw new UnknownConnector('a connector must be a name, a connector module, or a function that creates one')
}

/** Creates a connector from the settings of its data source. */
export type DriveConnector = (settings: Readonly<Record<string, unknown>>) => Connector

/** The factory of a connector that code passes as its module, such as `require('loopback-connector-rest')`. */
export function moduleFactory(module: unknown): DriveConnector | undefined {
  const isModule = typeof module === 'object' && module !== null && 'initialize' in module
  return isModule || typeof module === 'function' ? drive(() => module) : undefined
}

/**
 * The factory of a connector written for LoopBack. Most applications have none, and connectors are created synchronously,
 * so the package that wraps them is loaded by the first one.
 */
export function drive(load: () => unknown): DriveConnector {
  return (settings) => {
    const { loopback } = createRequire(import.meta.url)('@modelwire/connector-loopback') as typeof Loopback // a dependency
    return loopback(load(), settings)
  }
}
