import type { Client, ModelType } from '@modelwire/core/plugin'

/** A condition as written. */
export type Where = Readonly<Record<string, unknown>>

/** The caller and the requested records. */
export interface RowsQuestion {
  readonly model: ModelType
  readonly client: Client
  /** Without `prototype.`. */
  readonly method: string
}
