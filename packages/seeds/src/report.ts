/** What became of a record of the seeds. */
export type SeedAction = 'created' | 'changed' | 'unchanged'

/** One record of the seeds, after a run. */
export interface SeedOutcome {
  readonly model: string
  readonly file: string
  /** Its place in the file, from 0. */
  readonly index: number
  action: SeedAction
  /** Absent where a dry run would create it. */
  readonly id?: unknown
  /** The properties that were, or would be, changed. */
  readonly changes: string[]
}

/** How many records of a model were created, changed, left as they are, and deleted. */
export interface SeedCounts {
  readonly model: string
  created: number
  changed: number
  unchanged: number
  deleted: number
}

/** What a run did; a dry run, what it would do. */
export interface SeedReport {
  readonly dryRun: boolean
  /** By model, in the order in which they were stored. */
  readonly models: readonly SeedCounts[]
  readonly records: readonly SeedOutcome[]
  /** The scripts that ran, or would run. What they do by themselves is not counted. */
  readonly scripts: readonly string[]
}

/** Counts what became of records, by their models. */
export function countOutcomes(
  records: readonly SeedOutcome[],
  deleted: ReadonlyMap<string, number>
): readonly SeedCounts[] {
  const counts = new Map<string, SeedCounts>()
  const countsOf = (model: string): SeedCounts => {
    const known = counts.get(model) ?? {
      model,
      created: 0,
      changed: 0,
      unchanged: 0,
      deleted: deleted.get(model) ?? 0
    }
    counts.set(model, known)
    return known
  }
  for (const { model, action } of records) countsOf(model)[action] += 1
  for (const model of deleted.keys()) countsOf(model)
  return [...counts.values()]
}
