import type { Client, ModelType } from '@modelwire/core/plugin'

/** A condition as written. */
export type Where = Readonly<Record<string, unknown>>

/** Who asks for which records. */
export interface RowsQuestion {
  readonly model: ModelType
  readonly client: Client
  /** Without `prototype.`. */
  readonly method: string
}
