import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import type { ModelRegistry } from '@modelwire/core'
import type { DataSource } from '@modelwire/core/connector'
import { acceptCallback, isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { readTransactionOptions } from './script-transaction.ts'

/**
 * `dataSource.transaction(execute, options)`: all data access that `execute` waits for belongs to one transaction,
 * which is committed when it resolves. Unlike LoopBack's, it is done again from its start on a conflict.
 * @throws {TransactionTimeout} it took longer than `timeout`
 * @throws {NotImplemented} the connector has no transactions
 * @see LoopBack 3: loopback-datasource-juggler, lib/datasource.js, transaction
 */
export async function runScriptTransaction(
  registry: ModelRegistry,
  dataSource: DataSource,
  execute: () => unknown,
  options: unknown
): Promise<unknown> {
  const { isolation, timeout } = readTransactionOptions(options)
  return registry.transaction(async () => execute(), { isolation, timeout, dataSource: dataSource.name })
}

/** The function comes first, so that it is not taken for the callback. @throws {ScriptArgumentInvalid} there is none */
export function acceptTransaction(
  run: (execute: ScriptFunction, options: unknown) => Promise<unknown>
): ScriptFunction {
  return (execute, ...others) => {
    if (!isFunction(execute)) throw new ScriptArgumentInvalid('transaction needs a function')
    return acceptCallback((options) => run(execute, options))(...others)
  }
}
