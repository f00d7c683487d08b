import { likePattern, regexpPattern } from '@modelwire/core'
import type {
  Comparison,
  Condition,
  Filter,
  LikeOperator,
  ListOperator,
  ModelType,
  Near,
  OneValueOperator,
  OrderClause,
  ValueType
} from '@modelwire/core'

/** Writes conditions on one model as connectors get them: paths with their declared types, converted values. */
export interface Conditions {
  is: (path: string, operator: OneValueOperator, value: unknown) => Condition
  among: (path: string, operator: ListOperator, values: readonly unknown[]) => Condition
  between: (path: string, low: unknown, high: unknown) => Condition
  like: (path: string, operator: LikeOperator, text: string) => Condition
  regexp: (path: string, source: string, ignoreCase?: boolean) => Condition
  near: (path: string, near: Near) => Condition
  /** `price` or `-price`, which descends. */
  order: (...names: readonly string[]) => readonly OrderClause[]
}

/** The conditions on `model`. */
export function conditionsOn(model: ModelType): Conditions {
  const at = (path: string): Pick<Comparison, 'path' | 'type'> => ({
    path: path.split('.'),
    type: typeAt(model, path.split('.'))
  })
  return {
    is: (path, operator, value) => ({ kind: 'test', ...at(path), operator, value }),
    among: (path, operator, value) => ({ kind: 'test', ...at(path), operator, value }),
    between: (path, low, high) => ({ kind: 'test', ...at(path), operator: 'between', value: [low, high] }),
    like: (path, operator, like) => {
      const ignoreCase = operator === 'ilike' || operator === 'nilike'
      return { kind: 'test', ...at(path), operator, value: likePattern(like, { ignoreCase }), like }
    },
    regexp: (path, source, ignoreCase = false) => {
      return { kind: 'test', ...at(path), operator: 'regexp', value: regexpPattern(source, { ignoreCase }) }
    },
    near: (path, value) => ({ kind: 'test', ...at(path), operator: 'near', value }),
    order: (...names) => names.map((name) => ({ ...at(name.replace(/^-/, '')), descending: name.startsWith('-') }))
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
