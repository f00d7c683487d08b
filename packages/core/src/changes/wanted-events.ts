import type { Call } from '../contract/call.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Restriction } from '../contract/restriction.ts'
import { InvalidFilter } from '../errors.ts'
import { isClientQuery, compileFields, compileOptionalWhere, whereOptions } from '../filter/compile-filter.ts'
import { compilePredicate, type Predicate } from '../filter/match-where.ts'
import { whereNamesRelation } from '../filter/names-relation.ts'
import { checkReadable } from '../filter/restriction.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { describe } from '../values/describe.ts'
import type { ChangeEvent } from './change-event.ts'

/** Which events a reader wants, and what of them. */
export interface Wanted {
  readonly matches: ((event: ChangeEvent) => boolean) | undefined
  readonly fields: ReadonlySet<string> | undefined
  /** The models whose changes are reported; all when absent. */
  readonly models?: ReadonlySet<string> | undefined
}

/** Which events the options of a stream choose. @throws {InvalidFilter} a part of `options` is malformed */
export function compileWanted(
  model: ModelType,
  options: unknown,
  call: Call,
  restriction: Restriction | undefined
): Wanted {
  if (options === undefined || options === null) return { matches: undefined, fields: undefined }
  if (!isPlainObject(options))
    throw new InvalidFilter(`options of a change stream must be an object, not ${describe(options)}`)
  return {
    matches: compileMatches(model, options['where'], call, restriction),
    fields: compileFields(model, options['fields'], whereOptions(call)),
    models: readModels(options['models'])
  }
}

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
      'where of a change stream cannot name related records: an event has the changed record only'
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
