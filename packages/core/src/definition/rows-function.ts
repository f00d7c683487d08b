import type { Principal } from '../caller/principal.ts'

/** The argument of a function of an access rule: the caller and the operation. */
export interface RowsContext {
  /** Undefined for an anonymous caller. */
  readonly principal: Principal | undefined
  /** The id of the user behind the call; undefined for a caller who is none. */
  readonly userId: unknown
  /** The token behind the call, where it came with one. */
  readonly accessToken: unknown
  /** The model whose records are asked for. */
  readonly model: string
  /** Without `prototype.`; `find` for records that are included. */
  readonly method: string
}

/** A `where` on properties of the records, hidden ones among them; `{}` is every record, `undefined` and `false` are none. */
export type RowsAnswer = Readonly<Record<string, unknown>> | undefined | false

/**
 * Returns which records of a model an access rule lets its callers see and change. Called once for each method of a
 * model in a request. Whatever it throws, and whatever is not a condition, is answered with 500 `ROWS_FAILED`, and
 * nothing is shown. A value of `undefined` within a condition is none: it would leave the condition out.
 */
export type RowsFunction = (context: RowsContext) => RowsAnswer | Promise<RowsAnswer>
