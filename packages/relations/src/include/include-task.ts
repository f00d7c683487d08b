import type { Row } from '@modelwire/core/connector'
import type { AnswerBounds, Call, ResolvedRelation } from '@modelwire/core/plugin'

/** One relation to be read along with rows. */
export interface IncludeTask {
  readonly relation: ResolvedRelation
  readonly rows: readonly Row[]
  /** What is shown of the rows; all when absent. */
  readonly fields: ReadonlySet<string> | undefined
  /** `where`, `order`, `limit`, `skip`, `fields` and `include` of the related records, as written. */
  readonly filter: Readonly<Record<string, unknown>> | undefined
  readonly call: Call
  /** Bounds of what is read, and of how often it is laid beside rows. They hold for steps of the server's own, too. */
  readonly atMost: AnswerBounds | undefined
  readonly keysPerQuery: number
}
