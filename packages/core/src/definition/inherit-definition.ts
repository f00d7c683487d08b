import type { ModelDefinition } from './model-definition.ts'
import { isPlainObject, setOwn } from '@modelwire/server'
import type { PropertyDefinition } from './property-definition.ts'

type Settings = Readonly<Record<string, unknown>>

/** How a setting is merged with the base's: replaced, merged by name, or by default deeply. */
interface Policy {
  readonly replace?: unknown
  readonly patch?: unknown
}

/** Policies by setting. `__default` applies to all others; a setting with the value of `__delete` removes the base's. */
type Policies = Readonly<Record<string, unknown>>

/** @see `getMergePolicy` in lib/model.js of loopback-datasource-juggler 3 */
const defaultPolicies: Policies = { description: { replace: true }, relations: { patch: true } }

/** LoopBack's recommended policies, which `configureModelMerge: true` chooses. */
const recommended: Policies = {
  hidden: {},
  protected: {},
  indexes: { patch: true },
  methods: { patch: true },
  mixins: { patch: true },
  relations: { patch: true },
  scopes: { patch: true },
  __delete: null,
  __default: { replace: true }
}

/** A definition whose parts are all in their long form, with `options` merged into settings. */
export interface ResolvedDefinition extends ModelDefinition {
  properties: Record<string, PropertyDefinition>
}

/** What a model does not have from its base. */
const ownKeys = new Set(['name', 'base', 'properties', 'options', 'public', 'dataSource', 'abstract', 'acls'])

/** The long form of a property: `{ type: 'string' }` for `'string'`, `{ type: {…} }` for nested properties. */
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
 * Merges `definition` over its base: own properties come first, access rules of the base come before own ones, other
 * settings are merged as in LoopBack.
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

function policiesOf({ configureModelMerge: chosen }: Settings): Policies {
  if (isPlainObject(chosen)) return chosen
  return chosen === true ? recommended : defaultPolicies
}

function policyOf(policies: Policies, name: string): Policy {
  const policy = policies[name] ?? policies['__default']
  return isPlainObject(policy) ? policy : {}
}

/** Objects are merged name by name, lists hold what one of them holds; everything else is the second's. */
function mergeDeep(first: unknown, second: unknown): unknown {
  if (Array.isArray(first) && Array.isArray(second)) return [...new Set<unknown>(first.concat(second))]
  if (!isPlainObject(first) || !isPlainObject(second)) return second
  const merged = { ...first }
  for (const [name, value] of Object.entries(second))
    setOwn(merged, name, Object.hasOwn(first, name) ? mergeDeep(first[name], value) : value)
  return merged
}

function mergeOne({ replace, patch }: Policy, first: unknown, second: unknown): unknown {
  if (Boolean(replace) || first === undefined) return second
  return Boolean(patch) && isPlainObject(first) && isPlainObject(second)
    ? { ...first, ...second }
    : mergeDeep(first, second)
}

/**
 * Merges a model's settings over those that it inherits, as LoopBack does: by `configureModelMerge` of the model, usually
 * deeply.
 * @see `mergeSettings` in lib/model-builder.js of loopback-datasource-juggler 3
 */
export function mergeSettings(inherited: Settings, own: Settings): Record<string, unknown> {
  const policies = policiesOf(own)
  const merged: Record<string, unknown> = { ...inherited }
  for (const [name, value] of Object.entries(own)) {
    if ('__delete' in policies && value === policies['__delete']) delete merged[name]
    else setOwn(merged, name, mergeOne(policyOf(policies, name), inherited[name], value))
  }
  return merged
}
