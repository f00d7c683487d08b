import { type Awaitable, type ModelRegistry, repository } from '@modelwire/core'
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

/**
 * Keeps stored rules in memory. Changes made in this process count at once, those of others after `age` milliseconds.
 */
export function storedRules(registry: ModelRegistry, age: number): StoredRules {
  let kept: { readonly rules: readonly Rule[]; readonly at: number } | undefined
  let reading: Promise<readonly Rule[]> | undefined
  let changes = 0
  registry.changes.subscribe('ACL', () => {
    kept = undefined
    reading = undefined
    changes++
  })
  const readAll = async (): Promise<readonly Rule[]> => {
    const before = changes
    try {
      const rows = await repository.find(registry.typeOf('ACL'), undefined, {})
      const rules = rows.map(readStoredRule)
      if (before === changes) kept = { rules, at: Date.now() }
      return rules
    } finally {
      // After a failure the next call reads again.
      if (before === changes) reading = undefined
    }
  }
  const canHold = (): boolean => registry.find('ACL')?.collection !== undefined
  const fresh = (): readonly Rule[] | undefined =>
    kept !== undefined && Date.now() - kept.at < age ? kept.rules : undefined
  return { canHold, isEmpty: () => fresh()?.length === 0, read: () => fresh() ?? (reading ??= readAll()) }
}
