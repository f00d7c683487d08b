import type { ModelType } from '../model/model-type.ts'
import { Unusable } from '../values/unusable.ts'

const asText = (value: unknown): string => JSON.stringify(value ?? null)

/** True where a value as sent, once it has its property's type, is the stored one. */
export function isSameValue(model: ModelType, name: string, stored: unknown, sent: unknown): boolean {
  if (sent === null || sent === undefined) return (stored ?? null) === null
  const coerced = model.plan.find((plan) => plan.name === name)?.coerce(sent) ?? sent
  return !(coerced instanceof Unusable) && asText(coerced) === asText(stored)
}
