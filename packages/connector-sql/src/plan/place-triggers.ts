import type { SqlDialect } from '../dialect/dialect.ts'
import type { PlannedStep } from './planned-step.ts'
import type { PlannedLog } from './plan-change-log.ts'

/** Steps to combine with those for triggers. */
export interface PlacedSteps {
  readonly log: PlannedLog
  readonly renames: readonly PlannedStep[]
  /** The other steps on tables, in order. */
  readonly made: readonly PlannedStep[]
  readonly notes: Set<string>
}

/** The steps in order: every change of a record is logged while they run. */
export function placeTriggers({ schema }: SqlDialect, steps: PlacedSteps): readonly PlannedStep[] {
  return schema.lock.kind === 'transaction' ? placeInTransaction(steps) : placeOneByOne(steps)
}

/** Others see all of it or nothing. Triggers that are there name what is renamed: until they are dropped, no record could be written. */
function placeInTransaction({ log, renames, made }: PlacedSteps): readonly PlannedStep[] {
  const { tables, leftOver, created, dropped } = log
  const gone = [...leftOver, ...dropped]
  if (renames.length === 0) return [...made, ...gone, ...tables, ...created]
  return [...gone, ...renames, ...made, ...tables, ...created]
}

/**
 * Each step takes effect by itself. The triggers that are there stay until others are made: between the two, changes are logged twice.
 * Where a column has another name they fail, and with them what they would have logged: others can be made, and are, before
 * indexes, which may take long.
 */
function placeOneByOne({ log, renames, made, notes }: PlacedSteps): readonly PlannedStep[] {
  const { tables, leftOver, created, dropped } = log
  noteReplaced({ log, renames, notes })
  const triggers = [...leftOver, ...created, ...dropped]
  const [first, ...others] = renames
  if (first === undefined) return [...made, ...tables, ...triggers]
  // The former triggers can be made again once the former names are there again, and before their successors go.
  const back = [...dropped, ...created, ...leftOver].flatMap((step) => step.back?.run ?? [])
  const renamed = { ...first, back: { run: [...(first.back?.run ?? []), ...back] } }
  const indexes = made.filter(({ kind }) => kind === 'createIndex')
  const rest = made.filter((step) => !indexes.includes(step))
  return [renamed, ...others, ...rest, ...tables, ...triggers.map(({ back: _back, ...step }) => step), ...indexes]
}

const tablesOf = (steps: readonly PlannedStep[]): Set<string> =>
  new Set(steps.flatMap(({ table }) => table?.name ?? []))

function noteReplaced({ log, renames, notes }: Omit<PlacedSteps, 'made'>): void {
  const renamed = tablesOf(renames.filter(({ kind }) => kind === 'renameColumn'))
  const created = tablesOf(log.created)
  for (const name of [...tablesOf(log.dropped)].filter((each) => created.has(each)))
    notes.add(
      renamed.has(name)
        ? `writes to ${name} are refused from the rename of its columns until its triggers are replaced: every change is logged`
        : `changes of ${name} are logged twice while its triggers are replaced, so that none is missed`
    )
}
