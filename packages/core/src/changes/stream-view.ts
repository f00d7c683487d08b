import type { Restriction } from '../contract/access-control.ts'
import type { Call } from '../contract/call.ts'
import type { ModelType } from '../contract/model-type.ts'
import { InvalidFilter } from '../errors.ts'
import { compileFields, compileOptionalWhere, isClientQuery, whereOptions } from '../filter/compile-filter.ts'
import { compilePredicate, type Predicate } from '../filter/match-where.ts'
import { whereNamesRelation } from '../filter/related-conditions.ts'
import { checkReadable } from '../filter/restriction.ts'
import { describe } from '../values/describe.ts'
import { exactJson, isPlainObject } from '@modelwire/server'
import type { ChangeEvent } from './change-event.ts'
import { hasExactKey, isAbout, keyOfRights, type StreamRights } from './stream-rights.ts'

/** The events that a reader requests, and their properties. */
export interface Wanted {
  readonly matches: ((event: ChangeEvent) => boolean) | undefined
  readonly fields: ReadonlySet<string> | undefined
  /** The models whose changes are reported; all when absent. */
  readonly models: ReadonlySet<string> | undefined
  /** Equal for equal requests of clients; undefined where no text holds all of the request. */
  readonly text: string | undefined
}

/**
 * Compiles the options of a stream.
 * @throws {InvalidFilter} a part of `options` is malformed
 */
export function compileWanted(
  model: ModelType,
  options: unknown,
  call: Call,
  restriction: Restriction | undefined
): Wanted {
  const given = options ?? {}
  if (!isPlainObject(given))
    throw new InvalidFilter(`options of a change stream must be an object, not ${describe(given)}`)
  const where = given['where'] ?? null
  const matches = compileMatches(model, where, call, restriction)
  const fields = compileFields(model, given['fields'], whereOptions(call))
  const models = readModels(given['models'])
  // Conditions of code may depend on more than their JSON.
  const text = call.client && exactJson([where, listOf(fields), listOf(models), call.byServer === true])
  return { matches, fields, models, text }
}

const listOf = (names: ReadonlySet<string> | undefined): string[] | null => (names === undefined ? null : [...names])

/** @throws {InvalidFilter} it is not a list of names */
function readModels(names: unknown): ReadonlySet<string> | undefined {
  if (names === undefined || names === null) return undefined
  if (Array.isArray(names) && names.every((name): name is string => typeof name === 'string')) return new Set(names)
  throw new InvalidFilter(`models of a change stream must be a list of names, not ${describe(names)}`)
}

/**
 * Makes the predicate for the events that a condition matches; undefined where it matches all.
 * @throws {InvalidFilter} it is malformed, or names a relation: an event has the changed record only
 */
function compileMatches(
  model: ModelType,
  where: unknown,
  call: Call,
  restriction: Restriction | undefined
): Wanted['matches'] {
  if (whereNamesRelation(model, where))
    throw new InvalidFilter(
      'where of a change stream cannot refer to related records: an event only contains the changed record'
    )
  const condition = compileOptionalWhere(model, where, call)
  checkReadable(model, { where: condition }, restriction)
  return condition && compileMatch(compilePredicate(condition), call)
}

/** Models that extend the followed one may hide more: a client's condition sees only what the client may see. */
function compileMatch(matches: Predicate, caller: Call): (event: ChangeEvent) => boolean {
  const isClients = isClientQuery(caller)
  // LB3: a deletion has no data; conditions see an empty record. Read in LoopBack's answers, by hand.
  return (event) => matches((isClients ? event.shownData : event.data) ?? {})
}

/** Which events some readers see, and what of them. The answer for the last event is kept: it is the same for all of them. */
export class StreamView {
  /** Changes when the client's rights change; undefined for a stream of code. */
  readonly rightsKey: string | undefined
  /** Equal for views that show the same; undefined where that is not certain. */
  readonly key: string | undefined
  readonly #wanted: Wanted
  readonly #rights: StreamRights | undefined
  #last: { readonly event: ChangeEvent; readonly shown: ChangeEvent | undefined } | undefined

  constructor(wanted: Wanted, rights: StreamRights | undefined) {
    this.#wanted = wanted
    this.#rights = rights
    this.rightsKey = rights && keyOfRights(rights)
    const isExact = wanted.text !== undefined && hasExactKey(rights)
    this.key = isExact ? JSON.stringify([wanted.text, this.rightsKey]) : undefined
  }

  /** What of an event is shown; undefined if it was not requested or may not be seen. */
  shownOf(event: ChangeEvent): ChangeEvent | undefined {
    if (this.#last?.event !== event) this.#last = { event, shown: this.#show(event) }
    return this.#last.shown
  }

  #show(event: ChangeEvent): ChangeEvent | undefined {
    const { matches, fields, models } = this.#wanted
    if (models?.has(event.model) === false) return undefined
    const rights = this.#rights?.get(event.model)
    if (this.#rights !== undefined && (rights === undefined || !isAbout(event, rights))) return undefined
    const { readable } = rights ?? {}
    if (matches?.(readable === undefined ? event : event.withinReadable(readable, undefined)) === false)
      return undefined
    if (readable !== undefined) return event.withinReadable(readable, fields)
    return fields === undefined ? event : event.withFields(fields)
  }
}

/** The views of the readers of a feed: those with equal keys share one. */
export class StreamViews {
  readonly #views = new Map<string, { readonly view: StreamView; readers: number }>()

  /** Returns the view to use in place of this one. */
  take(view: StreamView): StreamView {
    if (view.key === undefined) return view
    const shared = this.#views.get(view.key) ?? { view, readers: 0 }
    shared.readers += 1
    this.#views.set(view.key, shared)
    return shared.view
  }

  /** Forgets a view that has no more readers. */
  leave({ key }: StreamView): void {
    const shared = key === undefined ? undefined : this.#views.get(key)
    if (key === undefined || shared === undefined) return
    shared.readers -= 1
    if (shared.readers === 0) this.#views.delete(key)
  }
}
