import {
  compileOptionalWhere,
  readLikeTokens,
  regexpPattern,
  wildcardPattern,
  type Comparison,
  type Condition,
  type Filter,
  type ModelType,
  type Near,
  type OrderClause,
  type ValueType
} from '@modelwire/core/connector'
import { testWith, type ValueOperator } from './test-case.ts'

/** Operators that compare with one value. */
export type OneValueOperator = Exclude<ValueOperator, 'inq' | 'nin' | 'between'>

/** Writes conditions on one model as connectors get them: paths with their declared types, converted values. */
export interface Conditions {
  is: (path: string, operator: OneValueOperator, value: unknown) => Condition
  among: (path: string, operator: 'inq' | 'nin', values: readonly unknown[]) => Condition
  between: (path: string, low: unknown, high: unknown) => Condition
  /** As a client writes it. */
  wire: (path: string, operator: string, operand: unknown) => Condition
  pattern: (path: string, like: string, anchor: Parameters<typeof wildcardPattern>[0]['anchor']) => Condition
  regexp: (path: string, source: string, ignoreCase?: boolean) => Condition
  near: (path: string, near: Near) => Condition
  /** `price` or `-price`, which descends. */
  order: (...names: readonly string[]) => readonly OrderClause[]
}

/** The conditions on `model`. */
export function conditionsOn(model: ModelType): Conditions {
  const at = (path: string): Pick<Comparison, 'kind' | 'path' | 'type'> => ({
    kind: 'test',
    path: path.split('.'),
    type: typeAt(model, path.split('.'))
  })
  return {
    is: (path, operator, value) => ({ ...at(path), ...testWith(operator, value) }),
    among: (path, operator, values) => ({ ...at(path), ...testWith(operator, values) }),
    between: (path, low, high) => ({ ...at(path), ...testWith('between', [low, high]) }),
    wire: (path, operator, operand) => compileOptionalWhere(model, { [path]: { [operator]: operand } }) ?? all(),
    pattern: (path, like, anchor) => {
      const options = { ignoreCase: false, readsAll: false }
      return {
        ...at(path),
        test: 'pattern',
        pattern: wildcardPattern({ tokens: readLikeTokens(like), anchor }, options)
      }
    },
    regexp: (path, source, ignoreCase = false) => {
      return { ...at(path), test: 'pattern', pattern: regexpPattern(source, { ignoreCase }) }
    },
    near: (path, near) => ({ ...at(path), test: 'near', near }),
    order: (...names) =>
      names.map((name) => ({
        path: name.replace(/^-/, '').split('.'),
        type: at(name.replace(/^-/, '')).type,
        descending: name.startsWith('-')
      }))
  }
}

/** All of the conditions. */
export function all(...conditions: readonly Condition[]): Condition {
  return { kind: 'and', conditions }
}

/** Any of the conditions. */
export function any(...conditions: readonly Condition[]): Condition {
  return { kind: 'or', conditions }
}

/** None of the conditions. */
export function none(...conditions: readonly Condition[]): Condition {
  return { kind: 'nor', conditions }
}

/** A filter of which only some parts are given. */
export function filterOf(parts: Partial<Filter>): Filter {
  return { order: [], skip: 0, ...parts }
}

function typeAt(model: ModelType, [name, ...below]: readonly string[]): ValueType | undefined {
  const type = model.byName.get(name ?? '')?.type
  return type && typeBelow(type, below)
}

function typeBelow(type: ValueType, [step, ...below]: readonly string[]): ValueType | undefined {
  if (step === undefined) return type
  if (type.kind === 'array') return type.items && typeBelow(type.items, /^\d+$/.test(step) ? below : [step, ...below])
  const property = type.kind === 'nested' ? type.byName.get(step) : undefined
  return property && typeBelow(property.type, below)
}
