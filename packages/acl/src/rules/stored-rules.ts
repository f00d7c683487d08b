import type { ModelRegistry } from '@modelwire/core'
import { followChanges, modelByType, repository, serverCall } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import type { Awaitable } from '@modelwire/server'
import { readStoredRule } from './read-rule.ts'
import type { Rule } from './rule.ts'

/** The rules of the model `ACL`. Each time they are read, the list is a new object. */
export interface StoredRules {
  /** Whether rules can be stored at all. Call it once all models are attached. */
  readonly canHold: () => boolean
  /** True if it is known that there are no stored rules. */
  readonly isEmpty: () => boolean
  /** All stored rules; a promise only if they must be read first. */
  readonly read: () => Awaitable<readonly Rule[]>
}

/** Longer than this no timer runs. */
const longestTimer = 2 ** 31 - 1

const now = (): number => performance.now()

/**
 * Caches stored rules in memory. Changes made in this process take effect immediately, those of other processes when the
 * shared state reports them, and after `age` milliseconds at the latest, by a timer, so that requests of open methods need
 * not check the time.
 * @param clock milliseconds of a monotonic clock; that of the process when absent
 */
export function storedRules(registry: ModelRegistry, age: number, clock = now): StoredRules {
  let kept: readonly Rule[] | undefined
  let reading: Promise<readonly Rule[]> | undefined
  let expiry: NodeJS.Timeout | undefined
  let changes = 0
  const forget = (): void => {
    clearTimeout(expiry)
    kept = undefined
    reading = undefined
    changes++
  }
  /** Others may change them as soon as reading has started. */
  const keep = (rules: readonly Rule[], since: number): void => {
    const left = age - (clock() - since)
    if (left <= 0) return
    kept = rules
    expiry = setTimeout(() => (kept = undefined), Math.min(left, longestTimer)).unref()
  }
  const followed = new Set<string>()
  const follow = ({ name }: ModelType): void => {
    if (!followed.has(name)) followChanges(registry, { model: name, forget })
    followed.add(name)
  }
  const readAll = async (): Promise<readonly Rule[]> => {
    const model = modelByType(registry, 'ACL') ?? registry.typeOf('ACL')
    follow(model)
    const [before, since] = [changes, clock()]
    try {
      const rows = await repository.find(model, undefined, serverCall())
      const rules = rows.map(readStoredRule)
      if (before === changes) keep(rules, since)
      return rules
    } finally {
      // After a failure the next call reads again.
      if (before === changes) reading = undefined
    }
  }
  const canHold = (): boolean => modelByType(registry, 'ACL')?.collection !== undefined
  return { canHold, isEmpty: () => kept?.length === 0, read: () => kept ?? (reading ??= readAll()) }
}

/** Makes a function that caches the result of `make` as long as the stored rules are the same list. */
export function perRules<Result extends object>(
  make: (rules: readonly Rule[]) => Result
): (rules: readonly Rule[]) => Result {
  let latest: { readonly rules: readonly Rule[]; readonly result: Result } | undefined
  return (rules) => {
    if (latest?.rules !== rules) latest = { rules, result: make(rules) }
    return latest.result
  }
}
