import type { ModelRegistry } from '@modelwire/core'
import {
  type Awaitable,
  type FindBuiltIn,
  followChanges,
  type ModelType,
  repository,
  serverCall
} from '@modelwire/core/plugin'
import { readStoredRule } from './read-rule.ts'
import type { Rule } from './rule.ts'

/** The rules of the model `ACL`. The list is another one whenever it was read again. */
export interface StoredRules {
  /** Somebody can store rules. Ask when all models are attached. */
  readonly canHold: () => boolean
  /** It is known that there is none. */
  readonly isEmpty: () => boolean
  /** All of them; a promise only where they have to be read. */
  readonly read: () => Awaitable<readonly Rule[]>
}

/** Longer than this no timer runs. */
const longestTimer = 2 ** 31 - 1

const now = (): number => performance.now()

/**
 * Keeps stored rules in memory. Changes made in this process count at once, those of others as soon as they say so, where the
 * shared state has messages, and after `age` milliseconds: a timer sees to that, since every request of an open method asks here and
 * none of them has to ask for the time.
 * @param clock milliseconds of a clock that is never set back; that of the process when absent
 */
export function storedRules(registry: ModelRegistry, find: FindBuiltIn, age: number, clock = now): StoredRules {
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
  /** Others may change them from the moment on at which they began to be read. */
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
    const model = find('ACL') ?? registry.typeOf('ACL')
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
  const canHold = (): boolean => find('ACL')?.collection !== undefined
  return { canHold, isEmpty: () => kept?.length === 0, read: () => kept ?? (reading ??= readAll()) }
}
