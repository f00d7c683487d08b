import type { ModelRegistry } from '@modelwire/core'
import type { SeedPlace } from './errors.ts'
import type { SeedOutcome } from './report.ts'
import type { SeedRecord } from './seed-record.ts'

/** The key of a record that a dry run does not store. */
export const unknownKey: unique symbol = Symbol('the key of a record that is not stored')

/** A value that is set once all records are stored. */
export interface LaterValue {
  readonly seed: SeedRecord
  readonly name: string
  readonly outcome: SeedOutcome
  /** The stored record; undefined where a dry run would create it. */
  readonly id: unknown
}

/** One run over the seeds. It is begun anew where a database repeats the transaction. */
export interface SeedRun {
  readonly registry: ModelRegistry
  readonly dryRun: boolean
  /** Keys that are set later, by model. */
  readonly later: ReadonlyMap<string, ReadonlySet<string>>
  readonly outcomes: SeedOutcome[]
  readonly waiting: LaterValue[]
  /** Records that a dry run would create, by model. */
  readonly planned: Map<string, Readonly<Record<string, unknown>>[]>
  /** The seeds of stored records, by model and id. */
  readonly seen: Map<string, SeedPlace>
  /** How many records were deleted, by model. */
  readonly deleted: Map<string, number>
  /** The seed that is worked on, for errors. */
  at: SeedPlace
}

/** Begins a run. */
export function beginRun(
  registry: ModelRegistry,
  dryRun: boolean,
  later: ReadonlyMap<string, ReadonlySet<string>> = new Map()
): SeedRun {
  return {
    registry,
    dryRun,
    later,
    outcomes: [],
    waiting: [],
    planned: new Map(),
    seen: new Map(),
    deleted: new Map(),
    at: {}
  }
}
