/** One step of an order. */
export interface SortClause {
  /** Undefined where the clause is about the rows themselves. */
  readonly relation: string | undefined
  readonly path: readonly string[]
  readonly descending: boolean
}
