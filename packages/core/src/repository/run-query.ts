import type { Row } from '../connector/connector.ts'
import { compileFilter, compileOptionalWhere, type QueryOptions } from '../filter/compile-filter.ts'
import type { Condition, Filter } from '../filter/condition.ts'
import { conditionUnderScope, hasChangingScope, underScope } from '../filter/default-scope.ts'
import { openTrusted } from '../filter/trusted-where.ts'
import { notifyHook } from '../hooks/notify-hook.ts'
import { type KeptPerModel, keepPerModel } from '../model/keep-per-model.ts'
import type { ModelType } from '../model/model-type.ts'
import type { ResolvedFilter } from '../seams.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { isPlainObject, clonePlain } from '../values/clone-plain.ts'
import { checkAsked } from './check-asked.ts'
import { collectionOf } from './identify.ts'
import { loadRelated, readingFilter } from './load-related.ts'
import { readSorted } from './read-sorted.ts'
import { resolveRelated } from './resolve-related.ts'

/** What the caller hands to hooks and queries. */
export type Options = Record<string, unknown> & QueryOptions
type Wire = Record<string, unknown>

/** What a query came to. */
export interface Result {
  readonly filter: Filter
  readonly rows: readonly Row[]
  readonly related: readonly Record<string, unknown>[] | undefined
  /** Shared by `access` and `loaded`. */
  readonly hookState: Record<string, unknown>
}

// Queries that `rest` froze because their text is cached: compiled once per model.
const compiledFilters = keepPerModel<Filter>()
const compiledConditions = keepPerModel<Condition | undefined>()

/** What `compile` makes of `raw`, kept as long as a frozen `raw` is. */
function compiledOnce<Value>(kept: KeptPerModel<Value>, model: ModelType, raw: unknown, compile: () => Value): Value {
  if (!isPlainObject(raw) || !Object.isFrozen(raw) || hasChangingScope(model)) return compile()
  return kept(raw, model, compile)
}

function toFilter(model: ModelType, raw: unknown, options: QueryOptions): Filter {
  return compiledOnce(compiledFilters, model, raw, () => underScope(model, compileFilter(model, raw, options)))
}

/** A `where` under the model's scope, compiled. */
export function toCondition(model: ModelType, where: unknown, options: QueryOptions): Condition | undefined {
  return compiledOnce(compiledConditions, model, where, () =>
    conditionUnderScope(model, compileOptionalWhere(model, where, options))
  )
}

/** What is done with a filter once it is compiled. `sort` is there where somebody else than the connector orders. */
type UseFilter<Value> = (asked: {
  readonly filter: Filter
  readonly sort: ResolvedFilter['sort']
  readonly hookState: Record<string, unknown>
}) => Awaitable<Value>

/** Compiles what the caller asks for, as observers of `access` leave it. */
export function withFilter<Value>(
  model: ModelType,
  raw: unknown,
  options: Options,
  use: UseFilter<Value>
): Awaitable<Value> {
  const resolving = resolveRelated(model, raw, options)
  return andThen(resolving, ({ filter: asked, sort }) => {
    const hookState = {}
    if (!model.hooks.has('access')) return use({ filter: toFilter(model, asked, options), sort, hookState })
    const trusted = checkAsked(model, ['access'], asked, options)
    return andThen(announceAccess(model, asked, options, hookState), (wire) =>
      use({ filter: toFilter(model, wire, trusted), sort, hookState })
    )
  })
}

/** What reading the rows of a compiled filter needs. */
export interface Reading {
  readonly filter: Filter
  readonly sort: ResolvedFilter['sort']
  readonly hookState: Record<string, unknown>
  readonly options: Options
  /** Related records come as rows. */
  readonly asRows: boolean
}

/** Reads the rows, and what they include. */
export function readResult(model: ModelType, { filter, sort, hookState, options, asRows }: Reading): Awaitable<Result> {
  const collection = collectionOf(model, 'find')
  const reading = readSorted((read) => collection.find(read), readingFilter(filter), sort)
  return andThen(reading, (rows) =>
    andThen(loadRelated(model, { rows, filter, options, asRows }), (related) => ({ filter, rows, hookState, related }))
  )
}

/** Reads the rows that match what the caller asks for, and what they include. */
export function query(model: ModelType, raw: unknown, options: Options, asRows: boolean): Awaitable<Result> {
  // Whoever cannot find is told so before he is told what is wrong with his filter.
  collectionOf(model, 'find')
  return withFilter(model, raw, options, (asked) => readResult(model, { options, asRows, ...asked }))
}

/** Runs the `access` hook on a copy of the filter, which observers may change or replace. */
export async function announceAccess(model: ModelType, raw: unknown, options: Options, hookState = {}): Promise<Wire> {
  const asked = isPlainObject(raw) ? clonePlain(raw) : {}
  const opened = asked['where'] === undefined ? asked : { ...asked, where: openTrusted(asked['where']) }
  const context = { query: opened, hookState }
  return (await notifyHook(model, 'access', context, options)).query ?? {}
}
