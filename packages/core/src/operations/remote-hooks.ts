import { RegistrySealed } from '../definition/errors.ts'
import type { OperationContext } from './operation-context.ts'

/** When a remote hook runs: before all others, before the method, after it, or after it failed. */
export type RemotePhase = 'first' | 'before' | 'after' | 'error'

/** Runs around a call. `context.result` may be replaced in an `after` hook, `context.args` in a `before` hook. */
export type RemoteHook = (context: OperationContext) => unknown

interface Registration {
  readonly phase: RemotePhase
  readonly pattern: readonly string[]
  readonly hook: RemoteHook
}

/**
 * Remote hooks by pattern. Segments are joined by dots: `Product.find`, `Product.prototype.*`, `*.save`, `**`.
 *
 * An exact name runs before `*`, and `*` before `**`, whatever the order in which they were registered.
 * @see recording remoting/remote-hooks
 */
export class RemoteHooks {
  readonly #registrations: Registration[] = []

  #sealed = false

  /** @throws {RegistrySealed} the methods are mounted: the hook would never run */
  add(phase: RemotePhase, pattern: string, hook: RemoteHook): void {
    if (this.#sealed)
      throw new RegistrySealed(`methods are mounted: the remote hook "${pattern}" would never run`, { key: pattern })
    this.#registrations.push({ phase, pattern: pattern.split('.'), hook })
  }

  /** Ends the time in which hooks are added. */
  seal(): void {
    this.#sealed = true
  }

  /** The hooks that name one method without any `*`. */
  findExact(phase: RemotePhase, method: string): readonly RemoteHook[] {
    return this.#registrations
      .filter((registration) => registration.phase === phase && registration.pattern.join('.') === method)
      .map((registration) => registration.hook)
  }

  /** The hooks of one method such as `Product.prototype.save`, in the order in which they run. */
  find(phase: RemotePhase, method: string): readonly RemoteHook[] {
    const steps = method.split('.')
    return this.#registrations
      .filter((registration) => registration.phase === phase && matches(registration.pattern, steps))
      .toSorted((a, b) => compareExactness(a.pattern, b.pattern))
      .map((registration) => registration.hook)
  }
}

function matches(pattern: readonly string[], steps: readonly string[]): boolean {
  if (pattern[0] === '**' && pattern.length === 1) return true
  return (
    pattern.every(
      (part, index) => part === '**' || (steps[index] !== undefined && (part === '*' || part === steps[index]))
    ) &&
    (pattern.length === steps.length || pattern.at(-1) === '**')
  )
}

function looseness(part: string | undefined): number {
  if (part === '**' || part === undefined) return 2
  return part === '*' ? 1 : 0
}

function compareExactness(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = looseness(a[index]) - looseness(b[index])
    if (difference !== 0) return difference
  }
  return 0
}
