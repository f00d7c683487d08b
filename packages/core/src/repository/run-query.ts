import type { Call } from '../contract/call.ts'
import type { Row } from '../contract/row.ts'
import { compileFilter, compileOptionalWhere } from '../filter/compile-filter.ts'
import type { Condition, Filter } from '../contract/condition.ts'
import { restrictionFor } from '../access/restriction-for.ts'
import { conditionUnderScope, hasChangingScope, underScope } from '../filter/default-scope.ts'
import { checkReadable, filterWithin } from '../filter/restriction.ts'
import type { Restriction } from '../contract/restriction.ts'
import { openTrusted } from '../filter/trusted-where.ts'
import { notifyHook } from '../model/notify-hook.ts'
import { type KeptPerModel, keepPerModel } from '../model/keep-per-model.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { ResolvedFilter } from '../contract/related-records.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { isPlainObject, clonePlain } from '../values/clone-plain.ts'
import { checkAsked } from './check-asked.ts'
import { collectionOf } from './identify.ts'
import { loadRelated, readingFilter, refuseIncludes } from './load-related.ts'
import { readSorted } from './read-sorted.ts'
import { resolveRelated } from './resolve-related.ts'

type Wire = Record<string, unknown>

/** What a query came to. */
export interface Result {
  /** As it was asked; a restriction of the client is not part of it. */
  readonly filter: Filter
  readonly rows: readonly Row[]
  readonly related: readonly Record<string, unknown>[] | undefined
  /** Names of the properties that the client may see; undefined: all. */
  readonly readable: ReadonlySet<string> | undefined
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

/** A filter of a call with the bounds of its client; the same object where it has them, since connectors keep plans by it. */
export function boundedFor({ client }: Call, filter: Filter): Filter {
  const atMost = client?.limits.answer
  return filter.atMost === atMost ? filter : { ...filter, atMost }
}

function toFilter(model: ModelType, raw: unknown, call: Call, asker = call): Filter {
  const compile = (): Filter => boundedFor(call, underScope(model, compileFilter(model, raw, asker)))
  return boundedFor(call, compiledOnce(compiledFilters, model, raw, compile))
}

/** A `where` under the model's scope, compiled. */
export function toCondition(model: ModelType, where: unknown, call: Call): Condition | undefined {
  return compiledOnce(compiledConditions, model, where, () =>
    conditionUnderScope(model, compileOptionalWhere(model, where, call))
  )
}

/** A filter that is compiled, and what it is carried out with. */
export interface AskedFilter {
  readonly filter: Filter
  /** There where somebody else than the connector orders. */
  readonly sort: ResolvedFilter['sort']
  readonly restriction: Restriction | undefined
  readonly hookState: Record<string, unknown>
}

/**
 * Compiles what the caller asks for, as observers of `access` leave it. The restriction of a client comes on top: no observer
 * and no scope can drop it.
 */
export function withFilter<Value>(
  model: ModelType,
  raw: unknown,
  by: ReadBy,
  use: (asked: AskedFilter) => Awaitable<Value>
): Awaitable<Value> {
  const { call } = by
  return andThen(restrictionFor(model, call, by.method), (restriction) => {
    const carryOut = (filter: Filter, sort: ResolvedFilter['sort'], hookState: Wire): Awaitable<Value> =>
      andThen(refuseIncludes(model, { filter, call, restriction }), () => use({ filter, sort, restriction, hookState }))
    return andThen(resolveRelated(model, raw, call, restriction), ({ filter: asked, sort }) => {
      const hookState = {}
      if (!model.hooks.has('access')) {
        const filter = toFilter(model, asked, call)
        checkReadable(model, filter, restriction)
        return carryOut(filter, sort, hookState)
      }
      const trusted = checkAsked(model, ['access'], asked, call, restriction)
      return andThen(announceAccess(model, asked, call, hookState), (wire) =>
        carryOut(toFilter(model, wire, call, trusted), sort, hookState)
      )
    })
  })
}

/** Who reads, by which method of the model. */
export interface ReadBy {
  readonly call: Call
  readonly method: string
  /** What is done to the rows that are found, not to those that they include. */
  readonly lock?: Filter['lock']
}

/** What reading the rows of a compiled filter needs. */
export interface Reading extends AskedFilter {
  readonly call: Call
  /** Related records come as rows. */
  readonly asRows: boolean
  readonly lock?: Filter['lock']
}

/** Reads the rows, and what they include. */
export function readResult(
  model: ModelType,
  { filter, sort, restriction, hookState, call, asRows, lock }: Reading
): Awaitable<Result> {
  const collection = collectionOf(model, 'find')
  const readable = restriction?.readable
  const within = readingFilter(filterWithin(restriction, filter))
  const reading = lock === undefined ? within : { ...within, lock }
  return andThen(
    readSorted((read) => collection.find(read, call), reading, sort),
    (rows) =>
      andThen(loadRelated(model, { rows, filter, call, asRows, restriction }), (related) => ({
        filter,
        rows,
        readable,
        hookState,
        related
      }))
  )
}

/** Reads the rows that match what the caller asks for, and what they include. */
export function query(model: ModelType, raw: unknown, by: ReadBy, asRows: boolean): Awaitable<Result> {
  // Check the capability first: NotImplemented takes precedence over InvalidFilter.
  collectionOf(model, 'find')
  return withFilter(model, raw, by, (asked) => readResult(model, { ...by, asRows, ...asked }))
}

/** Runs the `access` hook on a copy of the filter, which observers may change or replace. */
export async function announceAccess(model: ModelType, raw: unknown, call: Call, hookState = {}): Promise<Wire> {
  const asked = isPlainObject(raw) ? clonePlain(raw) : {}
  const opened = asked['where'] === undefined ? asked : { ...asked, where: openTrusted(asked['where']) }
  const context = { query: opened, hookState }
  return (await notifyHook(model, 'access', context, call.options)).query ?? {}
}
