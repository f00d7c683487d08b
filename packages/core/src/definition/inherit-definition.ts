import type { ModelDefinition } from './model-definition.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { mergeSettings } from './merge-settings.ts'
import type { PropertyDefinition } from './property-definition.ts'

/** A definition whose parts all have their long form and whose `options` are settings. */
export interface ResolvedDefinition extends ModelDefinition {
  properties: Record<string, PropertyDefinition>
}

/** What a model does not have from its base. */
const ownKeys = new Set(['name', 'base', 'properties', 'options', 'public', 'dataSource', 'abstract', 'acls'])

/** `{ type: 'string' }` for `'string'`, `{ type: {…} }` for nested properties. */
export function expandProperty(written: unknown): PropertyDefinition {
  // An object with a type is a definition; without one it declares nested properties.
  return isPlainObject(written) && 'type' in written ? { type: written['type'], ...written } : { type: written }
}

const isLeftOut = (written: unknown): boolean => written === false || written === null

/**
 * A property that is declared again stands in place of the base's, whose settings it does not take over; ids of the base are
 * left out where the definition has an id of its own, and so is what it
 * declares as false or null, or names in `excludeBaseProperties`.
 * @see `ModelClass.extend` in `lib/model-builder.js` of loopback-datasource-juggler 3
 */
function inheritProperties(
  written: Readonly<Record<string, unknown>>,
  inherited: Readonly<Record<string, PropertyDefinition>>,
  excluded: unknown
): Record<string, PropertyDefinition> {
  const declared = Object.entries(written).filter(
    ([name, property]) => !(isLeftOut(property) && Object.hasOwn(inherited, name))
  )
  const own = Object.fromEntries(declared.map(([name, property]) => [name, expandProperty(property)]))
  const hasId = Object.values(own).some(({ id }) => id)
  const others = Object.entries(inherited).filter(([name, { id }]) => !Object.hasOwn(written, name) && !(hasId && id))
  const all = Object.entries({ ...own, ...Object.fromEntries(others) })
  return Object.fromEntries(Array.isArray(excluded) ? all.filter(([name]) => !excluded.includes(name)) : all)
}

/**
 * Merges `definition` over its base: own properties come first, access rules of the base come before its own, other settings are
 * merged as LoopBack does.
 * @see recording crud/inheritance
 */
export function inheritDefinition(
  definition: ModelDefinition,
  base: ResolvedDefinition | undefined
): ResolvedDefinition {
  const { options = {}, ...written } = definition
  const own = { ...options, ...written }
  const inherited = Object.fromEntries(Object.entries(base ?? {}).filter(([key]) => !ownKeys.has(key)))
  const merged = mergeSettings(inherited, own)
  return {
    ...merged,
    name: definition.name,
    options,
    properties: inheritProperties(own.properties ?? {}, base?.properties ?? {}, merged['excludeBaseProperties']),
    acls: [...(base?.acls ?? []), ...(own.acls ?? [])]
  }
}
