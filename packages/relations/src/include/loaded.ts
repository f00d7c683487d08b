import {
  bothFields,
  checkRowCount,
  type Filter,
  Found,
  keepPerText,
  keyText,
  type Model,
  type ModelType,
  repository,
  type Row
} from '@modelwire/core'
import type { IncludeTask } from './include-task.ts'

/** The records of one key. */
export interface Group {
  readonly rows: readonly Row[]
  /** Where they are among all records; empty where nothing but rows is known of them. */
  readonly positions: readonly number[]
}

/** Records that an include read, ready to be laid beside their parents. */
export interface Loaded {
  readonly model: ModelType
  readonly related: readonly Record<string, unknown>[] | undefined
  readonly fields: ReadonlySet<string> | undefined
  readonly rows: readonly Row[]
  /** By the text of their key. */
  readonly groups: ReadonlyMap<string, Group>
  /** What the include asked for of each parent's records. */
  readonly page: Pick<Filter, 'skip' | 'limit'>
  /** Present where rows are not enough. */
  readonly instances: readonly Model[] | undefined
  /**
   * Counts records that are laid beside a row: an answer has at least as many.
   * @throws {AnswerTooLarge} they are more than it may have
   */
  readonly place: (records: number) => void
}

/** What was read: a model's records by a property. */
interface Read {
  readonly model: ModelType
  readonly property: string
  readonly keys: readonly unknown[]
}

// The same set each time: serializers are kept by it.
const shownWithKey = keepPerText<ReadonlySet<string>>()

/** LB3: the key of an included record is shown even where `fields` leaves it out, pinned by relations/include-forms. */
export function showKey(fields: ReadonlySet<string> | undefined, property: string): ReadonlySet<string> | undefined {
  if (fields === undefined || fields.has(property)) return fields
  return shownWithKey(fields, property, () => new Set([...fields, property]))
}

/** Prepares the result of a query for being laid beside parents. `lists` has the rows by key, where that is known. */
export async function makeLoaded(
  read: Read,
  result: repository.Result,
  lists: readonly (readonly Row[])[] | undefined,
  { call, asRows, atMost }: Pick<IncludeTask, 'call' | 'asRows' | 'atMost'>
): Promise<Loaded> {
  const { model, property } = read
  const asked = showKey(result.filter.fields, property)
  const fields = bothFields(asked, result.readable)
  const wantsInstances = !asRows || model.hooks.has('loaded')
  const shown = { ...result, filter: { fields: asked } }
  const instances = wantsInstances ? await repository.toInstances(model, shown, call) : undefined
  const rows = repository.completeRows(model, result.rows)
  const isPlain = result.related === undefined && instances === undefined && rows === result.rows
  const groups = lists === undefined ? groupByKey(rows, property) : groupLists(rows, read.keys, lists, isPlain)
  let placed = 0
  const place = (records: number): void => checkRowCount((placed += records), atMost)
  return { model, rows, groups, related: result.related, fields, page: result.filter, instances, place }
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

const noRows: readonly Row[] = []

/** The records of one key as a list. @throws {AnswerTooLarge} with it there are too many */
export function listOf(loaded: Loaded, group: Group | undefined): Found | Model[] {
  loaded.place(group?.rows.length ?? 0)
  const { model, related, fields, instances } = loaded
  if (instances !== undefined) return (group?.positions ?? []).flatMap((at) => instances[at] ?? [])
  const rows = group?.rows ?? noRows
  return new Found(model, { rows, fields, related: related && group?.positions.map((at) => related[at] ?? {}) }, false)
}

/** The records at `positions` as a list. @throws {AnswerTooLarge} with it there are too many */
export function listAt(loaded: Loaded, positions: readonly number[]): Found | Model[] {
  return listOf(loaded, { rows: positions.map((at) => loaded.rows[at] ?? {}), positions: [...positions] })
}

/** The first record of one key, or with -1 the last; undefined where there is none. */
export function oneOf(loaded: Loaded, group: Group | undefined, which: 0 | -1 = 0): Found | Model | undefined {
  const row = group?.rows.at(which)
  if (row === undefined) return undefined
  const { model, related, fields, instances } = loaded
  const position = group?.positions.at(which) ?? 0
  if (instances !== undefined) return instances[position]
  return new Found(model, { rows: [row], fields, related: related && [related[position] ?? {}] }, true)
}
