import { namesOf, shortName } from '../definition/method-name.ts'
import type { SharedMethods } from './is-shared.ts'
import type { Operation } from './operation.ts'

/** Every name that means an operation, each with the operation's own: aliases, and names of methods of records without `prototype.`. */
function meaningsOf(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const aliases = operations.flatMap((operation) => namesOf(operation).map((name) => [name, operation.name] as const))
  const bare = aliases.map(([name, own]) => [shortName(name), own] as const)
  // The last one counts: an own name more than an alias, and both more than a name without its prefix.
  return new Map([...bare, ...aliases, ...operations.map(({ name }) => [name, name] as const)])
}

/**
 * A setting of which methods are reachable, with aliases and names such as `__get__reviews` replaced by the operations' own names;
 * of several names of one operation its own counts, then one that switches it off. Names that mean none are left out.
 */
export function inOwnNames(setting: SharedMethods, operations: readonly Operation[]): SharedMethods {
  const meanings = meaningsOf(operations)
  const result: Record<string, boolean> = {}
  for (const [name, shared] of Object.entries(setting)) {
    const own = name.includes('*') ? name : meanings.get(name)
    if (own !== undefined) result[own] = setting[own] ?? (result[own] !== false && shared)
  }
  return result
}
