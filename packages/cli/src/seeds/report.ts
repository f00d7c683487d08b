import type { ResolvedRelation } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { isDeepStrictEqual } from 'node:util'

/** As JSON has it: dates are texts, and what is absent is null. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

/** True if two values are stored alike: the order of an object's members does not matter, and null equals absent. */
export const isSame = (first: unknown, second: unknown): boolean => isDeepStrictEqual(plain(first), plain(second))

/** A record as written in a seed file. */
export interface SeedRecord {
  readonly model: ModelType
  readonly data: Readonly<Record<string, unknown>>
  readonly file: string
  readonly index: number
}

/** What was done with a record of the seeds. */
export type SeedAction = 'created' | 'changed' | 'unchanged'

/** One record of the seeds, after a run. */
export interface SeedOutcome {
  readonly model: string
  readonly file: string
  /** Its place in the file, from 0. */
  readonly index: number
  action: SeedAction
  /** Absent if a dry run would create it. */
  readonly id?: unknown
  /** The properties that were, or would be, changed. */
  readonly changes: string[]
}

/** How many records of a model were created, changed, unchanged and deleted. */
export interface SeedCounts {
  readonly model: string
  created: number
  changed: number
  unchanged: number
  deleted: number
}

/** What a run did, or what a dry run would do. */
export interface SeedReport {
  readonly dryRun: boolean
  /** By model, in the order in which they were stored. */
  readonly models: readonly SeedCounts[]
  readonly records: readonly SeedOutcome[]
  /** The scripts that ran, or would run. What they do themselves is not counted. */
  readonly scripts: readonly string[]
}

/** Counts the outcomes of records, by model. */
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

/** The relation whose key a seed sets under this name: the relation's own name, or that of the key property. */
export function relationUnder(model: ModelType, name: string): ResolvedRelation | undefined {
  const relations = model.registry.relations.of(model)
  const named = relations.get(name)
  if (named?.holdsKey === 'one') return named
  return [...relations.values()].find(({ holdsKey, keyFrom }) => holdsKey !== undefined && keyFrom === name)
}

/** The property that a seed sets under this name. */
export function propertyUnder(model: ModelType, name: string): string {
  const relation = model.byName.has(name) ? undefined : relationUnder(model, name)
  return relation?.keyFrom ?? name
}
