import { type Row, compileOrder, compileCondition, type ModelType } from '@modelwire/core/connector'
import {
  type Call,
  compileFilter,
  cursorIn,
  InvalidCursor,
  Records,
  type ResolvedRelation,
  serverCall
} from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import type { Related } from '../related.ts'
import { embeddedRows } from './embedded.ts'
import { writtenScope } from './relation-scope.ts'
import { targetOf } from './target-of.ts'

/** A query for embedded records. */
export interface EmbeddedQuery {
  readonly model: ModelType
  readonly filter: unknown
  readonly call: Call
}

/** The rows that a filter selects. LB3: only `where` counts, pinned by relations/embeds-many. */
function selectRows(rows: readonly Row[], { model, filter: query, call }: EmbeddedQuery): readonly Row[] {
  const filter = compileFilter(model, query, call)
  const found = filter.where === undefined ? rows : rows.filter(compileCondition(filter.where).matches)
  if (model.registry.rules.filtersEmbeddedByWhere) return found
  if (cursorIn(query) !== undefined)
    throw new InvalidCursor('embedded records do not support cursors: use limit and skip')
  const ordered = filter.order.length === 0 ? found : found.toSorted(compileOrder(filter.order, undefined))
  return ordered.slice(filter.skip, filter.skip + (filter.limit ?? Infinity))
}

/** Embedded records of several parents that a filter selects, with nested includes: read at once. */
export async function embeddedRecords(lists: readonly (readonly Row[])[], query: EmbeddedQuery): Promise<Records[]> {
  const { model, call } = query
  const selected = lists.map((rows) => selectRows(rows, query))
  const { include, fields } = compileFilter(model, query.filter, call)
  const chosen = model.registry.rules.filtersEmbeddedByWhere ? undefined : fields
  const rows = selected.flat()
  const load = model.registry.includeLoader
  const isIncluding = include !== undefined && include !== null && load !== undefined && rows.length > 0
  const related = isIncluding
    ? await load({ model, rows, include, fields: chosen, call, restriction: undefined })
    : undefined
  const all = new Records(model, { rows, selected: chosen, related, byInstances: true })
  let first = 0
  return selected.map((some) => all.pick(some.map(() => first++)))
}

/** A relation and the declaring record of a list. */
interface OfParent {
  readonly relation: ResolvedRelation
  readonly parent: Row
}

/** A parent's embedded rows that the relation's scope selects. */
export function scopedRows({ relation, parent }: OfParent, rows: readonly Row[]): readonly Row[] {
  return selectRows(rows, { model: targetOf(relation), filter: writtenScope(relation, parent), call: serverCall() })
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [value ?? []].flat() // a list of anything

/** A filter with the includes of the relation's scope and its own. */
export function withScopeInclude({ relation, parent }: OfParent, filter: unknown): unknown {
  const { include } = writtenScope(relation, parent)
  if (include === undefined) return filter
  const query = isPlainObject(filter) ? filter : {}
  return { ...query, include: [...listOf(include), ...listOf(query['include'])] }
}

/** A parent's embedded rows that the relation's scope and a filter select. */
export function selectEmbeddedRows(related: Related, rows: readonly Row[], filter: unknown): readonly Row[] {
  const { relation, call } = related
  return selectRows(scopedRows(related, rows), { model: targetOf(relation), filter, call })
}

/** The embedded records of a parent that a filter selects. */
export async function selectEmbedded(related: Related, filter: unknown): Promise<Records> {
  const { relation, call } = related
  const model = targetOf(relation)
  const scoped = scopedRows(related, embeddedRows(related))
  const [selected] = await embeddedRecords([scoped], { model, filter: withScopeInclude(related, filter), call })
  return selected ?? new Records(model, { rows: [] })
}
