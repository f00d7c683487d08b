import type { Condition, ModelType, Row } from '@modelwire/core/connector'
import { type Family, familyOf } from '../family.ts'
import { type Driver, isObject, methodOf, partOf } from '../juggler/driver.ts'
import { createRowCodec } from '../rows/row-codec.ts'
import type { Transactions } from '../transaction/transactions.ts'
import { translateError } from '../translate-error.ts'
import { pushCondition } from '../where/push-condition.ts'
import { pushTest } from '../where/push-test.ts'
import { sqlPatterns } from '../where/sql-patterns.ts'
import { callDriver } from './call-driver.ts'
import type { CollectionContext } from './context.ts'
import type { SerialWork } from './serial-work.ts'

/** What the context of a model is made of. */
export interface ModelContextParts {
  readonly model: ModelType
  readonly driver: Driver
  /** Undefined where the connector has none. */
  readonly transactions: Transactions | undefined
  /** What comes one after the other: work on records of this model. */
  readonly serial: SerialWork
  /** `like` of a database finds a part of a text. */
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
