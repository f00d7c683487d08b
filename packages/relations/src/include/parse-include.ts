import { LimitExceeded, type ResolvedRelation } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { InvalidFilter } from '@modelwire/core'
import { UnknownRelation } from '../errors.ts'

/** A relation to include, and its filter. */
export interface IncludeNode {
  readonly relation: ResolvedRelation
  /** The filter of the related records as written; undefined for all. */
  readonly filter: Readonly<Record<string, unknown>> | undefined
  /** Only their number is wanted, under this name. */
  readonly countAs?: string | undefined
}

interface NamedInclude {
  readonly name: unknown
  readonly filter: IncludeNode['filter']
  readonly counts?: boolean
}

const nested = (include: unknown): NamedInclude['filter'] =>
  include === undefined || include === null || include === true ? undefined : Object.freeze({ include })

/** Every spelling of an include as a list of names with filters. */
function spell(include: unknown, firstNameOnly: boolean): readonly NamedInclude[] {
  if (typeof include === 'string') return include === '' ? [] : [{ name: include, filter: undefined }]
  if (Array.isArray(include)) return include.flatMap((item: unknown) => spellItem(item, firstNameOnly))
  if (!isPlainObject(include)) return []
  const name = include['relation'] ?? include['rel']
  if (name === undefined) {
    const entries = Object.entries(include)
    return (firstNameOnly ? entries.slice(0, 1) : entries).map(([key, below]) => ({
      name: key,
      filter: nested(below)
    }))
  }
  const { scope } = include
  // LB3: a scope that is not an object is ignored, pinned by relations/include-errors
  const filter = isPlainObject(scope) ? { ...nested(include['include']), ...scope } : nested(include['include'])
  return [{ name, filter: filter && Object.freeze(filter), counts: isTrue(include['count']) }]
}

/** In brackets every value is a string. */
const isTrue = (value: unknown): boolean => value === true || value === 'true'

/** In a list nothing stands for nothing: an empty name is the name of no relation. */
function spellItem(item: unknown, firstNameOnly: boolean): readonly NamedInclude[] {
  return item === '' || item === null ? [{ name: item, filter: undefined }] : spell(item, firstNameOnly)
}

/**
 * The relations that an include names, each once.
 * @throws {UnknownRelation} the model has no relation of this name
 */
export function parseInclude(
  include: unknown,
  relations: ReadonlyMap<string, ResolvedRelation>,
  { name: model, registry }: ModelType
): readonly IncludeNode[] {
  const nodes = new Map<string, IncludeNode>()
  for (const { name, filter, counts = false } of spell(include, registry.rules.includesFirstName)) {
    const relation = typeof name === 'string' ? relations.get(name) : undefined
    if (relation === undefined) throw new UnknownRelation(`${model} has no relation ${JSON.stringify(name)}`)
    // LB3: disabled relations are silently absent, pinned by relations/hidden-and-disabled-include
    if (relation.settings.disableInclude) continue
    const countAs = counts ? nameOfCount(relation, filter) : undefined
    nodes.set(countAs ?? relation.name, { relation, filter, countAs })
  }
  return [...nodes.values()]
}

/**
 * The name under which the number of related records is shown.
 * @throws {InvalidFilter} they cannot be counted, or something else has the name
 */
function nameOfCount({ name, from, many }: ResolvedRelation, filter: IncludeNode['filter']): string {
  if (!many) throw new InvalidFilter(`count requires a relation to many records: ${name} leads to one`)
  const other = Object.keys(filter ?? {}).find((key) => key !== 'where')
  if (other !== undefined)
    throw new InvalidFilter(`the scope of a count may only have where, not ${JSON.stringify(other)}`)
  const countAs = `${name}Count`
  if (from.byName.has(countAs) || from.relations.has(countAs))
    throw new InvalidFilter(`${name} cannot be counted: ${from.name} has its own ${JSON.stringify(countAs)}`)
  return countAs
}

/** Limits of a client's includes. */
export interface IncludeBounds {
  readonly includeDepth: number
  readonly includeCount: number
}

/** @throws {LimitExceeded} the include is deeper or wider than the bounds allow */
export function boundInclude(include: unknown, { includeDepth, includeCount }: IncludeBounds): void {
  let count = 0
  const visit = (part: unknown, depth: number): void => {
    for (const { filter } of spell(part, false)) {
      if (++count > includeCount) throw new LimitExceeded(`a request may include at most ${includeCount} relations`)
      if (depth > includeDepth) throw new LimitExceeded(`an include may be at most ${includeDepth} levels deep`)
      if (filter !== undefined) visit(filter['include'], depth + 1)
    }
  }
  visit(include, 1)
}
