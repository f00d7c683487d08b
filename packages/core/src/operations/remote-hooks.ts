import { RegistrySealed } from '../definition/errors.ts'
import type { OperationContext } from './operation-context.ts'

/**
 * When a remote hook runs: before the method, after it, or after the call failed.
 * @example
 * ```ts
 * import type { RemotePhase } from '@modelwire/core'
 * import { rest } from '@modelwire/rest'
 *
 * const phases: RemotePhase[] = ['before', 'after', 'error']
 * for (const phase of phases) app.models.remoteHooks.add(phase, 'Product.count', () => console.log(phase)) // before
 * await app.register(rest)
 * await app.inject('/Products/count')
 * ```
 */
export type RemotePhase = 'before' | 'after' | 'error'

/** Where a step of a call runs: around access control, next to the method, or after all hooks. */
export type StepMoment = 'beforeAccess' | 'afterAccess' | 'beforeMethod' | 'afterMethod' | 'last'

/** Returns the steps of a method such as `Product.find`, in the order in which they run. */
export type FindSteps = (moment: StepMoment, method: string) => readonly RemoteHook[]

/**
 * Runs around a call. `context.result` may be replaced in an `after` hook, `context.args` in a `before` hook.
 * @example
 * ```ts
 * import type { RemoteHook } from '@modelwire/core'
 * import { rest } from '@modelwire/rest'
 *
 * const wrap: RemoteHook = (context) => (context.result = { products: context.result })
 * app.models.remoteHooks.add('after', 'Product.count', wrap)
 * await app.register(rest)
 * console.log((await app.inject('/Products/count')).body) // {"products":{"count":2}}
 * ```
 */
export type RemoteHook = (context: OperationContext) => unknown

interface Registration {
  readonly phase: RemotePhase
  readonly pattern: readonly string[]
  readonly hook: RemoteHook
}

/**
 * Remote hooks by pattern. Segments are joined by dots: `Product.find`, `Product.prototype.*`, `*.save`, `**`.
 *
 * An exact name runs before `*`, and `*` before `**`, regardless of the order of registration.
 * @see recording remoting/remote-hooks
 */
export class RemoteHooks {
  readonly #registrations: Registration[] = []

  readonly #sources: FindSteps[] = []

  #sealed = false

  /** @throws {RegistrySealed} the methods are mounted: the hook would never run */
  add(phase: RemotePhase, pattern: string, hook: RemoteHook): void {
    if (this.#sealed)
      throw new RegistrySealed(
        `the API is mounted, so the remote hook "${pattern}" would never run: add it before rest`,
        { key: pattern }
      )
    this.#registrations.push({ phase, pattern: pattern.split('.'), hook })
  }

  /** Adds a source of steps, which run around the hooks. It is called once, when the methods are mounted. */
  addSteps(source: FindSteps): void {
    this.#sources.push(source)
  }

  /** The steps of one method, in the order in which they run. */
  findSteps(moment: StepMoment, method: string): readonly RemoteHook[] {
    return this.#sources.flatMap((source) => source(moment, method))
  }

  get isSealed(): boolean {
    return this.#sealed
  }

  /** Seals the hooks: no more can be added. */
  seal(): void {
    this.#sealed = true
  }

  /** The hooks for exactly one method, without any `*`. */
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
