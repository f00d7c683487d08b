import type { Condition } from '@modelwire/core/connector'
import { isPlainObject, type ModelType, Unusable } from '@modelwire/core/plugin'

const matching: Readonly<Record<string, string>> = { number: 'number', integer: 'number', string: 'string' }

/** A value in the type of a property; undefined where no record can have it. A structure is never a key. */
export function toKey(model: ModelType, property: string, value: unknown): unknown {
  if (value === null || value === undefined || isPlainObject(value) || Array.isArray(value)) return undefined
  const plan = model.byName.get(property)
  if (plan === undefined || matching[plan.type.kind] === typeof value) return value
  const coerced = model.plan.find(({ name }) => name === property)?.coerce(value)
  return coerced instanceof Unusable ? undefined : coerced
}

/** The condition that a property holds one of `values`, none of which is read as an operator. */
export function keyCondition(model: ModelType, property: string, values: readonly unknown[]): Condition {
  const keys = values.map((value) => toKey(model, property, value)).filter((key) => key !== undefined)
  const at = { kind: 'test', path: [property], type: model.byName.get(property)?.type } as const
  if (keys.length === 0) return { kind: 'never' }
  return keys.length === 1 ? { ...at, test: 'equals', value: keys[0] } : { ...at, test: 'in', values: keys }
}

/** The key condition as written on the wire. */
export function keyWhere(property: string, values: readonly unknown[]): Record<string, unknown> {
  return { [property]: values.length === 1 ? values[0] : { inq: values } }
}
