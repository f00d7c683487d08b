import { clonePlain, setOwn } from '@modelwire/server'
import { BareModel, stateOf, typeOf } from '../contract/model-instance.ts'
import { hideWithin } from './embedded-model.ts'
import type { ModelType } from '../contract/model-type.ts'

/** How a record becomes plain data. */
export interface PlainCopyOptions {
  readonly hidesHidden: boolean
  /** The record is embedded in another one: its protected properties are also omitted. */
  readonly nested?: boolean
}

/** A record as plain data, related records included, without absent properties. */
export function plainCopy(model: ModelType, instance: BareModel, options: PlainCopyOptions): Record<string, unknown> {
  const { hidesHidden, nested = false } = options
  const { readable, related = {} } = stateOf(instance)
  const isKept = (key: string): boolean => readable?.has(key) === false
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(instance)) {
    const left = hidesHidden && (isKept(key) || model.hidden.has(key) || (nested && model.protected.has(key)))
    const shown = hidesHidden && !left ? hideWithin(model, key, value) : value
    if (!left && value !== undefined) setOwn(copy, key, copyValue(shown, options))
  }
  for (const [name, value] of Object.entries(related)) setOwn(copy, name, copyValue(value, options))
  return copy
}

function copyValue(value: unknown, options: PlainCopyOptions): unknown {
  if (value instanceof BareModel) return plainCopy(typeOf(value), value, { ...options, nested: true })
  if (Array.isArray(value)) return value.map((item: unknown) => copyValue(item, options))
  return clonePlain(value)
}
