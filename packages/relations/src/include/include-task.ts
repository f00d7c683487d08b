import type { Row } from '@modelwire/core'
import type { Relation } from '../relation.ts'

/** One relation to be read along with rows. */
export interface IncludeTask {
  readonly relation: Relation
  readonly rows: readonly Row[]
  /** What is shown of the rows; all when absent. */
  readonly fields: ReadonlySet<string> | undefined
  /** `where`, `order`, `limit`, `skip`, `fields` and `include` of the related records, as written. */
  readonly filter: Readonly<Record<string, unknown>> | undefined
  readonly options: Record<string, unknown>
  /** Related records come as rows where nobody wants instances of them. */
  readonly asRows: boolean
  readonly keysPerQuery: number
}
