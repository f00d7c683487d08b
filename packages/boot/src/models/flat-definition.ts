import { isPlainObject } from '@modelwire/core/plugin'

type Written = Readonly<Record<string, unknown>>

/** Keys that a model has besides its settings. */
const fixed = new Set(['name', 'properties', 'options'])

/**
 * A definition whose `options` are settings, which win over those at the top level, and whose base has its one name. A base that is
 * false means none, and so PersistedModel.
 * @see LoopBack 3: lib/registry.js, buildModelOptionsFromConfig and createModel
 */
export function flatDefinition(written: Written): Record<string, unknown> {
  const { options, super: _super, base: _base, ...others } = written
  const nested = isPlainObject(options) ? Object.entries(options) : []
  const settings = Object.fromEntries(nested.filter(([key, value]) => !fixed.has(key) && value !== undefined))
  const { super: parent = written['super'], base = written['base'], ...more } = settings
  const named = base || parent
  return { ...others, ...more, ...(named ? { base: named } : {}) }
}
