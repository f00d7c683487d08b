import { checkRowCount, type Filter, type Row, keyText, type ModelType } from '@modelwire/core/connector'
import { keepPerText, type Records, repository } from '@modelwire/core/plugin'
import type { IncludeTask } from './read-by-keys.ts'

/** The records with one key. */
export interface Group {
  readonly rows: readonly Row[]
  /** Their positions among all records; empty if only the rows are known. */
  readonly positions: readonly number[]
}

/** The ids of the records of one key. */
export const idsOfGroup = (model: ModelType, group: Group | undefined): readonly unknown[] =>
  group?.rows.map((row) => repository.idOf(model, row)) ?? []

/** Records that an include read, ready to be attached to their parents. */
export interface Loaded {
  readonly records: Records
  /** By the text of their key. */
  readonly groups: ReadonlyMap<string, Group>
  /** The page of each parent's records that the include requests. */
  readonly page: Pick<Filter, 'skip' | 'limit'>
  /**
   * Counts records attached to a row: the response has at least as many.
   * @throws {AnswerTooLarge} they are more than it may have
   */
  readonly place: (records: number) => void
}

/** The result: records by a property. */
interface Read {
  readonly property: string
  readonly keys: readonly unknown[]
}

// Returns the same set each time: serializers are kept by it.
const shownWithKey = keepPerText<ReadonlySet<string>>()

/** LB3: the key of an included record is shown even where `fields` leaves it out, pinned by relations/include-forms. */
function showKey(fields: ReadonlySet<string> | undefined, property: string): ReadonlySet<string> | undefined {
  if (fields === undefined || fields.has(property)) return fields
  return shownWithKey(fields, property, () => new Set([...fields, property]))
}

/** The result of a query, and how it was obtained. */
interface Result {
  readonly records: Records
  readonly page: Loaded['page']
  /** The rows by key, if known. */
  readonly lists: readonly (readonly Row[])[] | undefined
}

/** Prepares the result of a query for attaching it to parents. */
export function makeLoaded(
  { property, keys }: Read,
  { records: found, page, lists }: Result,
  { atMost }: Pick<IncludeTask, 'atMost'>
): Loaded {
  const selected = showKey(found.selected, property)
  const records = selected === found.selected ? found : found.with({ selected })
  const isPlain = records.related === undefined && records.rows === records.stored
  const { stored } = records
  const groups = lists === undefined ? groupByKey(stored, property) : groupLists(stored, keys, lists, isPlain)
  let placed = 0
  const place = (count: number): void => checkRowCount((placed += count), atMost)
  return { records, groups, page, place }
}

const nowhere: readonly number[] = []

/** @param isPlain the rows are all that is known of the records: where they are does not matter */
function groupLists(
  rows: readonly Row[],
  keys: readonly unknown[],
  lists: readonly (readonly Row[])[],
  isPlain: boolean
): Map<string, Group> {
  const groups = new Map<string, Group>()
  let at = 0
  for (const [index, list] of lists.entries()) {
    const first = at
    at += list.length
    const key = keyText(keys[index]) ?? ''
    if (isPlain) groups.set(key, { rows: list, positions: nowhere })
    else groups.set(key, { rows: rows.slice(first, at), positions: list.map((_, place) => first + place) })
  }
  return groups
}

function groupByKey(rows: readonly Row[], property: string): Map<string, Group> {
  const groups = new Map<string, { rows: Row[]; positions: number[] }>()
  for (const [at, row] of rows.entries()) {
    const text = keyText(row[property])
    if (text === undefined) continue
    const group = groups.get(text)
    if (group === undefined) groups.set(text, { rows: [row], positions: [at] })
    else {
      group.rows.push(row)
      group.positions.push(at)
    }
  }
  return groups
}

/**
 * The records with one key as a list.
 * @throws {AnswerTooLarge} with it there are too many
 */
export function listOf(loaded: Loaded, group: Group | undefined): Records {
  const { records } = loaded
  if (group === undefined || group.positions !== nowhere) return listAt(loaded, group?.positions ?? nowhere)
  loaded.place(group.rows.length)
  return records.with({ rows: group.rows, stored: group.rows })
}

/** The records at `positions` as a list. @throws {AnswerTooLarge} with it there are too many */
export function listAt({ records, place }: Loaded, positions: readonly number[]): Records {
  place(positions.length)
  return records.pick(positions)
}

/** The first record with one key, or with -1 the last; undefined if there is none. */
export function oneOf({ records }: Loaded, group: Group | undefined, which: 0 | -1 = 0): Records | undefined {
  const row = group?.rows.at(which)
  if (group === undefined || row === undefined) return undefined
  if (group.positions === nowhere) return records.with({ rows: [row], stored: [row] }, true)
  return records.pick([group.positions.at(which) ?? 0], true)
}
