import { isPlainObject, setOwn } from '../values/clone-plain.ts'
import { embeddedModel } from './embedded-model.ts'
import type { ModelType } from '../contract/model-type.ts'

function hideEmbedded(model: ModelType, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => hideEmbedded(model, item))
  if (!isPlainObject(value)) return value
  const shown: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    if (!model.hidden.has(key) && !model.protected.has(key)) setOwn(shown, key, hideWithin(model, key, inner))
  }
  return shown
}

/**
 * The value of a property, without what the models of records that lie in it hide and protect: a record within another one
 * shows neither.
 * @see LoopBack 3: loopback-datasource-juggler, lib/model.js, toObject
 */
export function hideWithin(model: ModelType, key: string, value: unknown): unknown {
  const within = embeddedModel(model, key)
  return within === undefined ? value : hideEmbedded(within, value)
}
