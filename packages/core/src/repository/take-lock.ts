import type { Call } from '../contract/call.ts'
import { InvalidArgument, NotImplemented } from '../errors.ts'
import type { Filter } from '../contract/condition.ts'
import type { ModelType } from '../contract/model-type.ts'

/**
 * Reads the option `lock` of code, and returns it with the call without it: reads that follow from this one lock
 * nothing.
 * @throws {InvalidArgument} there is no such lock
 * @throws {NotImplemented} the connector locks nothing
 */
export function takeLock(model: ModelType, call: Call): { readonly call: Call; readonly lock: Filter['lock'] } {
  if ((call.options['lock'] ?? undefined) === undefined) return { call, lock: undefined }
  const { lock, ...options } = call.options
  if (lock !== 'update') throw new InvalidArgument('the option lock must be "update" or absent')
  const connector = model.dataSource?.connector
  if (connector?.capabilities.locks !== true)
    throw new NotImplemented(`the connector ${connector?.name ?? `of ${model.name}`} cannot lock records`)
  return { call: { ...call, options }, lock }
}
