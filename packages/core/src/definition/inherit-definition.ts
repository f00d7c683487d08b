import type { ModelDefinition } from './model-definition.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import type { PropertyDefinition } from './property-definition.ts'

/** A definition whose parts all have their long form and whose `options` are settings. */
export interface ResolvedDefinition extends ModelDefinition {
  properties: Record<string, PropertyDefinition>
}

const ownKeys = new Set([
  'name',
  'base',
  'properties',
  'options',
  'relations',
  'acls',
  'mixins',
  'methods',
  'hidden',
  'protected',
  'scopes',
  'public',
  'dataSource',
  'abstract'
])

const union = (first: readonly string[] | undefined, second: readonly string[] | undefined): string[] => [
  ...new Set([...(first ?? []), ...(second ?? [])])
]

/** `{ type: 'string' }` for `'string'`, `{ type: {…} }` for nested properties. */
export function expandProperty(written: unknown): PropertyDefinition {
  // An object with a type is a definition; without one it declares nested properties.
  return isPlainObject(written) && 'type' in written ? { type: written['type'], ...written } : { type: written }
}

/**
 * Merges `definition` over its base: own properties come first, lists of hidden and protected names add up, access rules
 * of the base come before its own, every other setting is the definition's where it has one.
 * @see recording crud/inheritance
 */
export function inheritDefinition(
  definition: ModelDefinition,
  base: ResolvedDefinition | undefined
): ResolvedDefinition {
  const { options = {}, ...written } = definition
  const own = { ...options, ...written }
  const properties: Record<string, PropertyDefinition> = {}
  for (const [name, property] of Object.entries(own.properties ?? {})) {
    const expanded = expandProperty(property)
    properties[name] = { ...base?.properties[name], ...expanded }
  }
  for (const [name, property] of Object.entries(base?.properties ?? {})) properties[name] ??= property
  const inherited = Object.fromEntries(Object.entries(base ?? {}).filter(([key]) => !ownKeys.has(key)))
  return {
    ...inherited,
    ...own,
    options,
    properties,
    relations: { ...base?.relations, ...own.relations },
    acls: [...(base?.acls ?? []), ...(own.acls ?? [])],
    mixins: { ...base?.mixins, ...own.mixins },
    methods: { ...base?.methods, ...own.methods },
    scopes: { ...base?.scopes, ...own.scopes },
    indexes: { ...base?.indexes, ...own.indexes },
    hidden: union(base?.hidden, own.hidden),
    protected: union(base?.protected, own.protected)
  }
}
