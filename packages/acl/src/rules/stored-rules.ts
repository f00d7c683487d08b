import { type Awaitable, type ModelRegistry, type ModelType, repository } from '@modelwire/core'
import type { FindBuiltIn } from '../models/model-by-type.ts'
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
export function storedRules(registry: ModelRegistry, find: FindBuiltIn, age: number): StoredRules {
  let kept: { readonly rules: readonly Rule[]; readonly at: number } | undefined
  let reading: Promise<readonly Rule[]> | undefined
  let changes = 0
  const forget = (): void => {
    kept = undefined
    reading = undefined
    changes++
  }
  const followed = new Set<string>()
  const follow = ({ name }: ModelType): void => {
    if (!followed.has(name)) registry.changes.subscribe(name, forget)
    followed.add(name)
  }
  const readAll = async (): Promise<readonly Rule[]> => {
    const model = find('ACL') ?? registry.typeOf('ACL')
    follow(model)
    const before = changes
    try {
      const rows = await repository.find(model, undefined, {})
      const rules = rows.map(readStoredRule)
      if (before === changes) kept = { rules, at: Date.now() }
      return rules
    } finally {
      // After a failure the next call reads again.
      if (before === changes) reading = undefined
    }
  }
  const canHold = (): boolean => find('ACL')?.collection !== undefined
  const fresh = (): readonly Rule[] | undefined =>
    kept !== undefined && Date.now() - kept.at < age ? kept.rules : undefined
  return { canHold, isEmpty: () => fresh()?.length === 0, read: () => fresh() ?? (reading ??= readAll()) }
}
