import { type Connector, isPlainObject } from '@modelwire/core'
import { acceptCallback, type ScriptFunction } from '../../callback-bridge.ts'
import { ScriptArgumentInvalid } from '../../errors.ts'
import { joiningTransaction } from './script-transaction.ts'

/**
 * What scripts find as `dataSource.connector`: LoopBack's own connector where one is driven, else the connector itself, with
 * `execute(statement[, parameters][, options][, callback])` as LoopBack's SQL connectors have it.
 */
export function scriptConnector(connector: Connector): unknown {
  if ('scriptConnector' in connector) return connector.scriptConnector
  if (connector.execute === undefined) return connector
  const execute = executeOf(connector)
  const own: ReadonlyMap<string | symbol, unknown> = new Map([
    ['execute', execute],
    ['query', execute],
    ['command', execute]
  ])
  return new Proxy(connector, {
    get(target, name) {
      if (own.has(name)) return own.get(name)
      const value: unknown = Reflect.get(target, name, target)
      // Its methods reach what is private to it.
      return typeof value === 'function' ? (value as ScriptFunction).bind(target) : value // called as any function
    }
  })
}

/** The options may have a `transaction`, which the statement then belongs to. */
function executeOf(connector: Connector): ScriptFunction {
  const run = async (statement: unknown, given: unknown): Promise<unknown> => {
    if (typeof statement !== 'string') throw new ScriptArgumentInvalid('a statement is a text')
    return connector.execute?.(statement, parametersOf(given))
  }
  return acceptCallback(joiningTransaction(run))
}

function parametersOf(given: unknown): readonly unknown[] {
  if (given === undefined || given === null || isPlainObject(given)) return []
  if (Array.isArray(given)) return given
  throw new ScriptArgumentInvalid('the parameters of a statement are a list')
}
