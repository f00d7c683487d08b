import type { QueryOptions } from '../contract/call.ts'
import { InvalidFilter } from '../errors.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject } from '@modelwire/server'
import { describe } from '../values/describe.ts'
import { asList } from '../operators/operand.ts'
import { compileWhere, typeBelow, type WhereOptions } from './compile-where.ts'
import { settleScopes } from './missing-values.ts'
import type { Condition, Filter, OrderClause } from '../contract/condition.ts'
import { RelatedOrder } from './related-conditions.ts'
import { refuseUnseen } from './unseen-path.ts'
import { defaultQueryLimits, noQueryLimits, QueryBudget, type QueryLimits } from '../limits/limits.ts'

/** The caller of a query, who decides what a filter may use and how large it may be. */
export interface QueryCaller {
  readonly options: QueryOptions
  readonly client?: { readonly limits: QueryLimits } | undefined
  /** The records will be embedded in others, where protected properties are not shown either. */
  readonly within?: boolean | undefined
  /** The query is an internal step of the server. */
  readonly byServer?: true
}

/** True if a filter may not use hidden properties: the caller is a client, or code that requires it. */
export const isClientQuery = ({ options, client }: QueryCaller): boolean =>
  client !== undefined || options.prohibitHiddenPropertiesInQuery === true

/** The limits of a caller: a request has some, a call from code has none. */
export function whereOptions(asker: QueryCaller | undefined): WhereOptions {
  const refusesHidden = asker !== undefined && isClientQuery(asker)
  const limits = asker?.client?.limits ?? (refusesHidden ? defaultQueryLimits : noQueryLimits)
  return {
    budget: new QueryBudget(limits),
    refusesHidden,
    refusesProtected: refusesHidden && asker.within === true,
    byCollation: asker !== undefined && asker.byServer !== true,
    ofCall: asker?.options
  }
}

/** Compiles a `where` only, for counts, updates and deletions. Absent and empty give undefined: all records. */
export function compileOptionalWhere(model: ModelType, where: unknown, asker?: QueryCaller): Condition | undefined {
  if (where === undefined || where === null) return undefined
  const condition = compileWhere(model, where, whereOptions(asker))
  return condition.kind === 'and' && condition.conditions.length === 0 ? undefined : condition
}

/**
 * Checks, converts and completes a filter as written on the wire or in code.
 * @throws {InvalidFilter} a part of it is malformed
 * @throws {HiddenPropertyInFilter} a client names a hidden property
 * @throws {LimitExceeded} a client's filter is too large
 */
export function compileFilter(model: ModelType, raw: unknown, asker?: QueryCaller): Filter {
  if (raw === undefined || raw === null) return { order: [], skip: 0 }
  if (!isPlainObject(raw)) throw new InvalidFilter(`a filter must be an object, not ${describe(raw)}`)
  const options = whereOptions(asker)
  const where =
    raw['where'] === undefined || raw['where'] === null ? undefined : compileWhere(model, raw['where'], options)
  return {
    where: where?.kind === 'and' && where.conditions.length === 0 ? undefined : where,
    order: compileOrderClauses(model, raw['order'], options),
    limit: readLimit(model, raw['limit']) ?? defaultLimit(model, raw),
    skip: readCount(model, 'skip', raw['skip']) || readCount(model, 'offset', raw['offset']) || 0,
    fields: compileFields(model, raw['fields'], options),
    include: settleScopes(model, raw['include'], asker?.options)
  }
}

/** Compiles a filter from a definition as the application's own: it may use hidden properties. */
export function compileScopeFilter(model: ModelType, scope: Readonly<Record<string, unknown>>): Filter {
  return compileFilter(model, scope, model.registry.rules.comparesByCollation ? { options: {} } : undefined)
}

/** LB3: 0 means no limit, and the text "0" is refused; lib/dao.js, _normalize. */
function readLimit(model: ModelType, raw: unknown): number | undefined {
  const limit = readCount(model, 'limit', raw)
  if (limit === 0 && typeof raw === 'string')
    throw new InvalidFilter(`limit must be a number from 1, not ${describe(raw)}`)
  return limit || undefined
}

/** LB3: records that are skipped make a page of 100, where no limit is named; lib/model-utils.js, _normalize. */
const defaultLimit = (
  { registry }: ModelType,
  { skip, offset }: Readonly<Record<string, unknown>>
): number | undefined => (registry.rules.limitsSkippingPages && Boolean(skip || offset) ? 100 : undefined)

/**
 * A filter with pagination as LoopBack writes it into the filter of a call, for hooks that compute headers from it:
 * `limit`, `skip` and `offset` as numbers. A filter without pagination, or with an invalid one, is returned as is.
 */
export function withPage(model: ModelType, raw: unknown): unknown {
  if (!isPlainObject(raw) || !(raw['limit'] || raw['skip'] || raw['offset'])) return raw
  const limit = Number(raw['limit'] || defaultLimit(model, raw))
  const skip = Number(raw['skip'] || raw['offset'] || 0)
  const isPage = Number.isInteger(limit) && limit > 0 && Number.isInteger(skip) && skip >= 0
  return isPage ? { ...raw, limit, skip, offset: skip } : raw
}

/** A count as written; undefined where there is none. LB3: false, and NaN of scripts, are as nothing; lib/model-utils.js, _normalize. */
function readCount({ registry }: ModelType, name: string, raw: unknown): number | undefined {
  if (raw === undefined || raw === null || raw === '') return undefined
  if (registry.rules.ignoresFalseCounts && (raw === false || Number.isNaN(raw))) return undefined
  const count = typeof raw === 'object' ? NaN : Number(raw)
  if (!Number.isInteger(count) || count < 0)
    throw new InvalidFilter(`${name} must be a whole number from 0, not ${describe(raw)}`)
  return count
}

/** @see recording filter/order */
function compileOrderClauses(model: ModelType, raw: unknown, options: WhereOptions): readonly OrderClause[] {
  if (raw === undefined || raw === null || raw === '') return []
  const texts = typeof raw === 'string' ? splitAtCommas(raw) : asList(raw)
  if (texts === undefined) throw new InvalidFilter(`order must be a string or a list of strings, not ${describe(raw)}`)
  options.budget.list(texts.length)
  return texts.filter((text) => text !== '').map((text) => compileOrderClause(model, text, options))
}

/** Blanks beside commas do not count; others do. Without a regular expression: those take their time over many blanks. */
function splitAtCommas(text: string): readonly string[] {
  const parts = text.split(',')
  return parts.map((part, index) => {
    const begun = index === 0 ? part : part.trimStart()
    return index === parts.length - 1 ? begun : begun.trimEnd()
  })
}

/** LB3: lists are in the order of their ids anyway, so naming it tells nothing of ids that are hidden. */
const isFreeOrder = ({ registry, idProperty }: ModelType, key: string): boolean =>
  registry.rules.ordersByHiddenId && key === idProperty?.name

function compileOrderClause(model: ModelType, text: unknown, options: WhereOptions): OrderClause {
  if (text instanceof RelatedOrder) return text.clause
  if (typeof text !== 'string') throw new InvalidFilter(`order must contain strings, not ${describe(text)}`)
  const [key = '', direction = 'ASC'] = text.split(/\s+/)
  if (!/^(asc|desc)$/i.test(direction)) throw new InvalidFilter(`order ${describe(text)} must end with ASC or DESC`)
  const path = key.split('.')
  const first = path[0] ?? ''
  if (!isFreeOrder(model, key)) refuseUnseen(model, path, options, 'ordered')
  const property = model.byName.get(first)
  return { path, type: property && typeBelow(property.type, path.slice(1)), descending: /^desc$/i.test(direction) }
}

/**
 * The names of the selected properties; undefined for all.
 * @see recording filter/fields
 */
export function compileFields(
  model: ModelType,
  raw: unknown,
  { budget }: WhereOptions
): ReadonlySet<string> | undefined {
  if (typeof raw === 'string') return raw === '' ? undefined : checkedNames([raw])
  const list = asList(raw)
  budget.list(list?.length ?? 0)
  if (list !== undefined) {
    return list.length === 0 ? undefined : checkedNames(list.filter((name) => typeof name === 'string'))
  }
  if (!isPlainObject(raw)) return undefined
  const names = Object.keys(raw)
  budget.list(names.length)
  if (names.length === 0) return undefined
  const kept = names.filter((name) => raw[name])
  return checkedNames(kept.length > 0 ? kept : allBut(model, names))
}

const allBut = ({ properties }: ModelType, names: readonly string[]): string[] =>
  properties.map(({ name }) => name).filter((name) => !names.includes(name))

function checkedNames(names: readonly string[]): ReadonlySet<string> {
  const dotted = names.find((name) => name.includes('.'))
  if (dotted === undefined) return new Set(names)
  throw new InvalidFilter(`fields cannot select ${describe(dotted)}: select the whole property`)
}
