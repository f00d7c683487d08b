import { NotImplemented } from '@modelwire/core'
import { type Driver, methodOf, partOf } from '../juggler/driver.ts'
import { callWithCallback, type Results } from '../juggler/with-callback.ts'

/** What a driver's method gets beside its arguments: `{ transaction }` within one. */
export type CallOptions = Record<string, unknown>

/** Whether the method of a driver takes options, as those of version 3 do; older ones do not. */
const takesOptions = (length: number, args: readonly unknown[]): boolean => length >= args.length + 3

/**
 * Calls a method of a driver for a model: `(model, …args, options, callback)`, without options where it takes none.
 * @throws {NotImplemented} the driver has no such method, or does not take it into a transaction
 * @see LoopBack 3, loopback-datasource-juggler, lib/dao.js, invokeConnectorMethod
 */
export async function callDriver(
  driver: Driver,
  method: string,
  model: string,
  args: readonly unknown[],
  options: CallOptions
): Promise<Results> {
  const fn = methodOf(driver, method)
  const name = String(partOf(driver, 'name'))
  if (fn === undefined) throw new NotImplemented(`the connector ${name} has no ${method}`)
  if (takesOptions(fn.length, args)) return callWithCallback(fn, driver, [model, ...args, options])
  if (options['transaction'] !== undefined)
    throw new NotImplemented(`the connector ${name} does not support ${method} within a transaction`)
  return callWithCallback(fn, driver, [model, ...args])
}
