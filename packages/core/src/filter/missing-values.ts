import { isPlainObject } from '@modelwire/server'
import type { ModelType } from '../contract/model-type.ts'
import { InvalidFilter } from '../errors.ts'

/** True for what variables without a value become: a condition on it would be left out, or hold for no record. */
export function isMissing(value: unknown): boolean {
  return value === undefined || Number.isNaN(value) || (value instanceof Date && Number.isNaN(value.getTime()))
}

const isUndefined = (value: unknown): boolean => value === undefined

const partsOf = (value: unknown): Iterable<readonly [string | number, unknown]> => {
  if (Array.isArray(value)) return value.entries()
  return isPlainObject(value) ? Object.entries(value) : []
}

/** What is nested deeper comes from no code: limits refuse it when it is compiled. */
const deepest = 500

/** The path of the first value in a condition that is undefined, NaN or an invalid date; undefined if there is none. */
export function missingIn(where: unknown, test = isMissing, depth = 0): string | undefined {
  if (depth > deepest) return undefined
  for (const [key, value] of partsOf(where)) {
    if (test(value)) return String(key)
    const below = missingIn(value, test, depth + 1)
    if (below !== undefined) return `${key}.${below}`
  }
  return undefined
}

/** LB3: what is undefined becomes null, or is removed; lib/utils.js, sanitizeQuery. */
function withoutUndefined(where: unknown, nullifies: boolean): unknown {
  const settle = (value: unknown): unknown => (isUndefined(value) ? null : withoutUndefined(value, nullifies))
  const isKept = (value: unknown): boolean => nullifies || !isUndefined(value)
  if (Array.isArray(where)) return where.filter(isKept).map(settle)
  if (!isPlainObject(where)) return where
  const kept = Object.entries(where).filter(([, value]) => isKept(value))
  return Object.fromEntries(kept.map(([key, value]) => [key, settle(value)]))
}

/** LB3: options of the call come before the settings of the model, and these before its data source's; lib/model-utils.js. */
function normalizationOf({ definition, dataSource }: ModelType, options: object): unknown {
  const name = 'normalizeUndefinedInQuery'
  for (const settings of [options, definition, dataSource?.settings ?? {}]) {
    const value: unknown = Reflect.get(settings, name)
    if (value !== undefined) return value
  }
  return undefined
}

/**
 * A condition without values that are missing. Natively there are none: code that leaves one out by mistake would reach all
 * records.
 * @param options those of the call
 * @throws {InvalidFilter} a value is missing; in LoopBack's mode: is undefined, and `normalizeUndefinedInQuery` is `throw`
 */
export function settleMissing(model: ModelType, where: unknown, options: object = {}): unknown {
  const { normalizesUndefined } = model.registry.rules
  const path = missingIn(where, normalizesUndefined ? isUndefined : isMissing)
  if (path === undefined) return where
  if (!normalizesUndefined)
    throw new InvalidFilter(
      `${path} has no value in a condition of a query of ${model.name}: it must not be undefined, NaN or an invalid date`
    )
  const normalization = normalizationOf(model, options)
  if (normalization === 'throw') throw new InvalidFilter(`Unexpected \`undefined\` in query: ${path}`)
  return withoutUndefined(where, normalization === 'nullify')
}

/** An include whose scopes have such conditions: looked at before anything is read. */
export function settleScopes(model: ModelType, include: unknown, options?: object, isScope = false): unknown {
  if (missingIn(include) === undefined) return include
  if (Array.isArray(include)) return include.map((item) => settleScopes(model, item, options))
  if (!isPlainObject(include)) return include
  const settle = ([key, value]: [string, unknown]): [string, unknown] => [
    key,
    isScope && key === 'where'
      ? settleMissing(model, value, options)
      : settleScopes(model, value, options, key === 'scope')
  ]
  return Object.fromEntries(Object.entries(include).map(settle))
}
