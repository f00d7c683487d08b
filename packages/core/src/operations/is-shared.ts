import { namesOf } from '../definition/method-table.ts'
import { changesMany } from './effect.ts'
import type { Operation } from './operation.ts'

/** Which methods a script or a configuration exposes. `*` is the default. */
export type SharedMethods = Readonly<Record<string, boolean>>

/** The facts that decide whether an operation is reachable. */
export type SharedOperation = Pick<
  Operation,
  'model' | 'name' | 'aliases' | 'onInstance' | 'effect' | 'sharedByDefault'
>

const isPattern = (name: string): boolean => name.includes('*')

/**
 * Whether a pattern matches a method: `*` matches any part of its name. LB3: lib/configure-shared-methods.js, which does
 * not anchor patterns.
 */
export function matchesMethod(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  let end = name.indexOf(first) + first.length
  if (!name.includes(first)) return false
  for (const part of rest) {
    const found = name.indexOf(part, end)
    if (found === -1) return false
    end = found + part.length
  }
  return true
}

/**
 * Whether a setting exposes an operation, undefined where it does not mention it: the name counts more than patterns,
 * of which one that switches off wins.
 */
function sharedBy(setting: SharedMethods, name: string, byPatterns: boolean): boolean | undefined {
  const found = Object.keys(setting).filter((key) => isPattern(key) && matchesMethod(key, name))
  if (setting[name] !== undefined || found.length === 0) return setting[name]
  const shared = found.every((key) => setting[key] === true)
  return shared && !byPatterns ? undefined : shared
}

/**
 * Whether an operation is reachable. Scripts may use aliases, `sharedMethods` only the name itself or a pattern such as
 * `prototype.__*`; if several settings match, the last one decides. An operation that changes or deletes many records at
 * once must be listed by name, unless `sharesMassChanges` holds.
 * @see recordings exposure/scripted, exposure/star, exposure/global
 */
export function isShared(
  operation: SharedOperation,
  disabled: ReadonlySet<string>,
  ...settings: readonly (SharedMethods | undefined)[]
): boolean {
  if (namesOf(operation).some((name) => disabled.has(name))) return false
  const { name, model, effect, sharedByDefault = true } = operation
  const { sharesMassChanges, mergesSharing } = model.registry.rules
  const needsName = !sharesMassChanges && changesMany(effect)
  const merged = Object.fromEntries(settings.flatMap((setting) => Object.entries(setting ?? {})))
  const decisions = (mergesSharing ? [merged] : settings).map((setting) => sharedBy(setting ?? {}, name, !needsName))
  return decisions.findLast((value) => value !== undefined) ?? (!needsName && sharedByDefault)
}
