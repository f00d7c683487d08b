import type { Call } from './call.ts'
import type { Row } from './row.ts'
import type { Restriction } from './restriction.ts'
import type { Awaitable } from '../values/awaitable.ts'
import type { ModelType } from './model-type.ts'

/** Rows that were read, and what is to be read along with them. */
export interface IncludeRequest {
  readonly model: ModelType
  /** Whole rows: what `fields` leaves out is dropped when the answer is written. */
  readonly rows: readonly Row[]
  /** As the caller gave it; the same object for equal requests, where `rest` keeps it. */
  readonly include: unknown
  /** What is shown of the rows; all of it when absent. */
  readonly fields: ReadonlySet<string> | undefined
  readonly call: Call
  /** What the client may see of the rows' model; undefined: everything. */
  readonly restriction: Restriction | undefined
}

/**
 * Reads related records. Core calls it once per query that has an `include`, with all rows at once; it gives one object of
 * related values per row, in order: `Records`, or nothing where there is none. `relations` installs it.
 * @throws {InvalidFilter} (the loader) a relation is unknown
 */
export interface IncludeLoader {
  (request: IncludeRequest): Promise<readonly Record<string, unknown>[]>
  /**
   * Refuses what a client may not include whatever the rows are.
   * @throws what access control refuses it with
   */
  readonly refuse?: (request: IncludePlanRequest) => Awaitable<void>
}

/** The include of rows that are not read yet. */
export type IncludePlanRequest = Omit<IncludeRequest, 'rows'>

/** A filter that reaches into related records. */
export interface RelatedFilterRequest {
  readonly model: ModelType
  /** As written, with `where` and `order`. */
  readonly filter: Readonly<Record<string, unknown>>
  readonly call: Call
  /** What the client may see of the model; undefined: everything. */
  readonly restriction?: Restriction | undefined
  /** Others than the database see what comes out, or act before it is carried out: it has to hold keys. Default false. */
  readonly asKeys?: boolean
  /** The one record that the condition will be tested on: only the related records that it leads to are read. */
  readonly record?: Row | undefined
}

/** A filter that a connector can carry out alone. */
export interface ResolvedFilter {
  readonly filter: unknown
  /** Orders all rows that match, before they are skipped and limited; absent where the connector can do it. */
  readonly sort?: (rows: readonly Row[]) => Promise<readonly Row[]>
}

/**
 * Carries out the parts of a filter that reach into related records: conditions become conditions on keys. `relations`
 * installs it.
 * @throws {InvalidFilter} (the function) the condition is not possible on related records
 */
export type RelatedFilter = (request: RelatedFilterRequest) => Promise<ResolvedFilter>
