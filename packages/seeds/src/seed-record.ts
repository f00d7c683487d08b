import type { ModelType } from '@modelwire/core/plugin'

/** A record as a seed file has it. */
export interface SeedRecord {
  readonly model: ModelType
  readonly data: Readonly<Record<string, unknown>>
  readonly file: string
  readonly index: number
}
