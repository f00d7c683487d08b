import type { ModelType } from '../contract/model-type.ts'
import type { Condition, OrderClause } from '../contract/condition.ts'

/** Keys that stand for a condition on related records: they are not a list that a client sent. */
export class KeySet {
  readonly keys: readonly unknown[]
  constructor(keys: readonly unknown[]) {
    this.keys = keys
  }
}

/** The keys that the records of a model hold which match a condition: the database finds them by itself. */
export class RelatedKeys {
  readonly model: ModelType
  /** The property that holds the keys. */
  readonly property: string
  readonly where: Condition | undefined
  constructor(model: ModelType, property: string, where: Condition | undefined) {
    this.model = model
    this.property = property
    this.where = where
  }
}

/** A step of an order by a property of the one related record: the database finds that record by itself. */
export class RelatedOrder {
  readonly clause: OrderClause
  constructor(clause: OrderClause) {
    this.clause = clause
  }
}
