import type { Condition, ModelType, Row } from '@modelwire/core/connector'
import { type Family, familyOf } from '../family.ts'
import { type Driver, isObject, methodOf, partOf } from '../juggler/driver.ts'
import { createRowCodec } from '../rows/row-codec.ts'
import type { Transactions } from '../transaction/transactions.ts'
import { translateError } from '../translate-error.ts'
import { pushCondition, sqlPatterns } from '../where/push-condition.ts'
import { pushTest } from '../where/push-test.ts'
import type { CollectionContext } from './context.ts'
import type { SerialWork } from './serial-work.ts'
import { NotImplemented } from '@modelwire/core'
import { callWithCallback, type Results } from '../juggler/with-callback.ts'

/** The additional argument of a driver's method: `{ transaction }` within one. */
type CallOptions = Record<string, unknown>

/** Whether the method of a driver takes options, as those of version 3 do; older ones do not. */
const takesOptions = (length: number, args: readonly unknown[]): boolean => length >= args.length + 3

/** The dependencies of a model's context. */
export interface ModelContextParts {
  readonly model: ModelType
  readonly driver: Driver
  /** Undefined if the connector has none. */
  readonly transactions: Transactions | undefined
  /** Serialises work on records of this model. */
  readonly serial: SerialWork
  /** `like` matches substrings in the database. */
  readonly likeAnywhere: boolean
}

/** The context of a model's operations. */
export function createModelContext(parts: ModelContextParts): CollectionContext {
  const { model, driver, transactions, serial, likeAnywhere } = parts
  const family: Family = familyOf(driver)
  const connector = String(partOf(driver, 'name'))
  const test = pushTest(family, { connector, likeAnywhere, id: model.idProperty?.name })
  return {
    model,
    family,
    codec: createRowCodec(model, family),
    push: (where) => pushCondition(where, test),
    test: (where: Condition) => (family === 'relational' ? sqlPatterns(where, likeAnywhere) : where),
    hasMethod: (method) => isUsable(driver, method),
    call: async (method, ...args) => {
      try {
        return await serial.limit(callDriver(driver, method, model.name, args, transactions?.options() ?? {}))
      } catch (error) {
        throw translateError(error, { connector, model, row: rowOf(args) })
      }
    },
    isInTransaction: () => transactions?.isOpen === true,
    together: async (work) => (transactions === undefined ? serial.run(work) : transactions.run(work, {}))
  }
}

/** LB3: `count` of old connectors has its arguments in another order, and `rest` has one that always fails. */
function isUsable(driver: Driver, method: string): boolean {
  const fn = methodOf(driver, method)
  return fn !== undefined && (method !== 'count' || fn.length >= 4)
}

/** The row that a call writes is its last argument. */
function rowOf(args: readonly unknown[]): Row | undefined {
  const last = args.at(-1)
  return isObject(last) ? { ...last } : undefined
}

/**
 * Calls a method of a driver for a model: `(model, …args, options, callback)`, without options where it takes none.
 * @throws {NotImplemented} the driver has no such method, or does not take it into a transaction
 * @see LoopBack 3, loopback-datasource-juggler, lib/dao.js, invokeConnectorMethod
 */
async function callDriver(
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
