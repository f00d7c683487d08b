import { InvalidOption } from '@modelwire/server'
import { closestName } from '../values/describe.ts'

/** The operation hooks, in the order in which a save runs them. */
export const hookNames = [
  'access',
  'before save',
  'persist',
  'loaded',
  'after save',
  'before delete',
  'after delete'
] as const

/**
 * The name of an operation hook.
 */
export type HookName = (typeof hookNames)[number]

/**
 * Throws for names such as `befor save`, whose observers would never run. Words such as `uploaded` are custom events.
 * @throws {InvalidOption} the name seems to mean a hook
 */
export function refuseMisspeltHook(name: string): void {
  const hook = closestName(name, hookNames, name.includes(' ') ? 2 : 1)
  if (hook === undefined || hook === name) return
  throw new InvalidOption(`unknown hook "${name}": did you mean "${hook}"?`, { key: name })
}

/**
 * The argument of an observer. Which keys are present depends on the hook and the operation, exactly as in LoopBack 3;
 * `docs/hooks.md` has the table.
 * @example
 * ```ts
 * import type { HookContext } from '@modelwire/core'
 *
 * const log = ({ instance, isNewInstance }: HookContext) => console.log(isNewInstance, instance?.['name']) // true Chair
 * app.models.get('Product').modelType.hooks.observe('after save', log)
 * await app.models.Product.create({ name: 'Chair', price: 60 })
 * ```
 */
export interface HookContext {
  readonly Model: unknown
  /** Shared by the save hooks of one operation, and by its delete hooks; `access` and `loaded` have their own. */
  readonly hookState: Record<string, unknown>
  /** The caller: the `options` of the operation. */
  readonly options: Record<string, unknown>
  query?: Record<string, unknown>
  where?: Record<string, unknown>
  data?: Record<string, unknown>
  instance?: Record<string, unknown>
  currentInstance?: Record<string, unknown>
  isNewInstance?: boolean
  info?: { count: number }
  [key: string]: unknown
}

/**
 * Runs at a hook. It may change the context; a promise is awaited.
 * @example
 * ```ts
 * import type { Observer } from '@modelwire/core'
 *
 * const trim: Observer = ({ instance }) => {
 *   if (instance !== undefined) instance['name'] = String(instance['name']).trim()
 * }
 * app.models.typeOf('Product').hooks.observe('before save', trim)
 * console.log((await app.models.Product.create({ name: ' Chair ', price: 60 })).name) // Chair
 * ```
 */
export type Observer = (context: HookContext) => unknown

/**
 * The observers of one model. Those of its base run first. Other names than the seven are allowed: scripts notify custom
 * events with `notifyObserversOf`.
 */
export class HookTable {
  readonly #own = new Map<string, Observer[]>()
  readonly #base: HookTable | undefined
  readonly #onObserve: (() => void) | undefined
  #requiresInstances = false

  /** @param onObserve called whenever an observer is added */
  constructor(base?: HookTable, onObserve?: () => void) {
    this.#base = base
    this.#onObserve = onObserve
  }

  /** @throws {InvalidOption} `observer` is not a function */
  observe(name: string, observer: Observer): void {
    this.observeQuietly(name, observer)
    this.#onObserve?.()
  }

  /**
   * Adds an observer that only needs the `options` of data access, so that calls without other observers need not carry
   * their caller.
   * @throws {InvalidOption} `observer` is not a function
   */
  observeQuietly(name: string, observer: Observer): void {
    if (typeof observer !== 'function') throw new InvalidOption(`an observer of "${name}" must be a function`)
    this.#own.set(name, [...(this.#own.get(name) ?? []), observer])
  }

  /** Removes `observer`; true if it existed. */
  remove(name: string, observer: Observer): boolean {
    const list = this.#own.get(name) ?? []
    const rest = list.filter((item) => item !== observer)
    this.#own.set(name, rest)
    return rest.length < list.length
  }

  /** Removes all observers of one hook, except the base's. */
  clear(name: string): void {
    this.#own.delete(name)
  }

  /**
   * Makes records of this model, and of those that extend it, be read and written as instances, since their class has
   * custom code.
   */
  requireInstances(): void {
    this.#requiresInstances = true
  }

  get requiresInstances(): boolean {
    return this.#requiresInstances || (this.#base?.requiresInstances ?? false)
  }

  /** True without observers and class hooks: instances that only they would see need not be created. */
  get isEmpty(): boolean {
    return this.#own.size === 0 && !this.#requiresInstances && (this.#base?.isEmpty ?? true)
  }

  has(name: string): boolean {
    if (this.#own.size === 0) return this.#base?.has(name) ?? false

    return (this.#own.get(name)?.length ?? 0) > 0 || (this.#base?.has(name) ?? false)
  }

  /** Runs the observers of `name` one after the other. An error aborts the operation. */
  async notify(name: string, context: HookContext): Promise<void> {
    if (this.#base?.has(name) === true) await this.#base.notify(name, context)
    for (const observer of this.#own.get(name) ?? []) await observer(context)
  }
}
