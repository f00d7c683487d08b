import type { Awaitable, ModelType, Principal, Row } from '@modelwire/core'

/** A condition as written. */
export type Where = Readonly<Record<string, unknown>>

/** Who asks for which records. */
export interface RowsQuestion {
  readonly model: ModelType
  readonly principal: Principal | undefined
  readonly accessToken: unknown
  /** Without `prototype.`. */
  readonly method: string
  /** The same for all that belongs to one request. */
  readonly request: object
}

/** A record that is asked about. */
export interface RowRecord {
  readonly id: unknown
  /** All that is stored of it, or would be, where that is at hand. */
  readonly record: Row | undefined
}

/** The records that a rule lets its callers see and change. */
export interface RowSet {
  /** The condition that they meet; undefined where there are none. */
  readonly where: (question: RowsQuestion) => Awaitable<Where | undefined>
  /** Which of some stored records are among them. */
  readonly among: (question: RowsQuestion, records: readonly RowRecord[]) => Promise<readonly boolean[]>
  /** Whether a record would be among them that is stored as given; one without an id is new. */
  readonly fits: (question: RowsQuestion, record: RowRecord) => Promise<boolean>
  /** Whether all of them stay among them when this is written to each. */
  readonly outlasts: (question: RowsQuestion, data: Row) => Awaitable<boolean>
}
