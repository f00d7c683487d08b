import { logicalKeys } from '../filter/logical-keys.ts'
import { unseenIn } from '../filter/unseen-path.ts'
import { operators } from '../filter/operators/index.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject, setOwn } from '../values/clone-plain.ts'
import { compileCoercion } from '../types/coerce-value.ts'
import { Unusable } from '../values/unusable.ts'

/** A value that a property is compared with, in the property's type; what cannot become one stays. */
function converted(model: ModelType, property: string, value: unknown): unknown {
  const declared = model.byName.get(property)
  if (declared === undefined || value === undefined || value === null) return value
  if (Array.isArray(value)) return value.map((item) => converted(model, property, item))
  if (isPlainObject(value)) return withOperators(model, property, value)
  const type = declared.type.kind === 'array' ? declared.type.items : declared.type
  const usable =
    type === undefined
      ? value
      : compileCoercion(type, { findModel: (name) => model.registry.find(name)?.properties })(value)
  return usable instanceof Unusable ? value : usable
}

function withOperators(model: ModelType, property: string, written: Readonly<Record<string, unknown>>): unknown {
  const shown: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(written))
    setOwn(shown, name, operators.get(name)?.comparesValues === true ? converted(model, property, value) : value)
  return shown
}

function shownParts(model: ModelType, parts: unknown): unknown {
  return Array.isArray(parts) ? parts.map((part) => shownWhere(model, part)) : parts
}

/**
 * The condition of a change as those who follow changes may see it: with values in the types of their properties, and
 * without conditions on hidden ones.
 * @see LoopBack 3: loopback-datasource-juggler, lib/dao.js, _coerce, read in its answers by hand
 */
export function shownWhere(model: ModelType, where: unknown): unknown {
  if (!isPlainObject(where)) return where
  const { and, ...others } = where
  // Relations join the parent's key to the requested condition, which is often empty.
  if (Array.isArray(and) && and.length === 1 && Object.keys(others).length === 0) return shownWhere(model, and[0])
  const shown: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(where)) {
    if (unseenIn(model, key.split('.'), { refusesHidden: true }, true) !== undefined) continue
    setOwn(shown, key, logicalKeys.has(key) ? shownParts(model, value) : converted(model, key, value))
  }
  return shown
}
