import type { Row } from './connector/connector.ts'
import type { ModelType } from './model/model-type.ts'

export type { Guard, OperationSource, Principal } from './operations/operation.ts'

/**
 * Reads related records. Core calls it once per query that has an `include`, with all rows at once; it gives one object of
 * related values per row, in order. `relations` installs it.
 * @throws {InvalidFilter} (the loader) a relation is unknown
 */
export type IncludeLoader = (
  model: ModelType,
  rows: readonly Row[],
  include: unknown,
  options: Record<string, unknown>
) => Promise<readonly Record<string, unknown>[]>
