import { clonePlain, setOwn } from '../values/clone-plain.ts'
import { BareModel, stateOf, typeOf } from './bare-model.ts'
import { embeddedModel, hideEmbedded } from './hide-embedded.ts'
import type { ModelType } from './model-type.ts'

/** How a record becomes plain data. */
export interface PlainCopyOptions {
  readonly hidesHidden: boolean
  /** The record is part of another one: its protected properties are left out too. */
  readonly nested?: boolean
}

/** A record as plain data, related records included, without absent properties. */
export function plainCopy(model: ModelType, instance: BareModel, options: PlainCopyOptions): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(instance)) {
    const left = options.hidesHidden && (model.hidden.has(key) || (options.nested === true && model.protected.has(key)))
    if (!left && value !== undefined) setOwn(copy, key, copyValue(shownValue(model, key, value, options), options))
  }
  for (const [name, value] of Object.entries(stateOf(instance).related ?? {}))
    setOwn(copy, name, copyValue(value, options))
  return copy
}

function shownValue(model: ModelType, key: string, value: unknown, { hidesHidden }: PlainCopyOptions): unknown {
  const property = hidesHidden ? model.byName.get(key) : undefined
  const within = property && embeddedModel(model, property.type)
  return within === undefined ? value : hideEmbedded(within, value)
}

function copyValue(value: unknown, options: PlainCopyOptions): unknown {
  if (value instanceof BareModel) return plainCopy(typeOf(value), value, { ...options, nested: true })
  if (Array.isArray(value)) return value.map((item: unknown) => copyValue(item, options))
  return clonePlain(value)
}
