import { isPlainObject, setOwn } from '../values/clone-plain.ts'

type Settings = Readonly<Record<string, unknown>>

/** How a setting joins that of the base: in its place, name by name, or, with neither, all the way down. */
interface Policy {
  readonly replace?: unknown
  readonly patch?: unknown
}

/** Policies by setting. `__default` is that of all others; a setting with the value of `__delete` takes the base's away. */
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
 * A model's settings over those that it inherits, merged as LoopBack merges them: by `configureModelMerge` of the model, usually
 * all the way down.
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
