import type { ModelType } from '../contract/model-type.ts'
import { type Coercion, Unusable } from '../values/unusable.ts'

const asText = (value: unknown): string => JSON.stringify(value ?? null)

/** True where a value as sent, once it is converted, is the stored one. */
export function isSameOnce(coerce: Coercion, stored: unknown, sent: unknown): boolean {
  if (sent === null || sent === undefined) return (stored ?? null) === null
  const coerced = coerce(sent)
  return !(coerced instanceof Unusable) && asText(coerced) === asText(stored)
}

/** True where a value as sent, once it has its property's type, is the stored one. */
export function isSameValue(model: ModelType, name: string, stored: unknown, sent: unknown): boolean {
  const plan = model.plan.find((each) => each.name === name)
  return isSameOnce(plan?.coerce ?? ((value) => value), stored, sent)
}
