import { InvalidOption } from '../definition/errors.ts'
import { closestName } from '../values/closest-name.ts'

/** The operation hooks, in the order in which a save meets them. */
export const hookNames = [
  'access',
  'before save',
  'persist',
  'loaded',
  'after save',
  'before delete',
  'after delete'
] as const
export type HookName = (typeof hookNames)[number]

/**
 * Refuses names such as `befor save`, whose observers would never run. Words such as `uploaded` are names of events.
 * @throws {InvalidOption} the name seems to mean a hook
 */
export function refuseMisspeltHook(name: string): void {
  const hook = closestName(name, hookNames, name.includes(' ') ? 2 : 1)
  if (hook === undefined || hook === name) return
  throw new InvalidOption(`no hook is named "${name}": did you mean "${hook}"?`, { key: name })
}

/**
 * The argument of an observer. Which keys are present depends on the hook and the operation, exactly as in LoopBack 3;
 * `docs/hooks.md` has the table.
 */
export interface HookContext {
  readonly Model: unknown
  /** Shared by the save hooks of one operation, and by its delete hooks; `access` and `loaded` have their own. */
  readonly hookState: Record<string, unknown>
  /** The caller: what the operation was given as `options`. */
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

/** Runs at a hook. It may change the context; a promise is waited for. */
export type Observer = (context: HookContext) => unknown

/**
 * The observers of one model. Those of its base run first. Names other than the seven are allowed: scripts announce events
 * of their own through `notifyObserversOf`.
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
   * Adds an observer that needs no more of the caller than the `options` of data access, so that calls without other
   * observers need not carry their caller.
   * @throws {InvalidOption} `observer` is not a function
   */
  observeQuietly(name: string, observer: Observer): void {
    if (typeof observer !== 'function') throw new InvalidOption(`an observer of "${name}" must be a function`)
    this.#own.set(name, [...(this.#own.get(name) ?? []), observer])
  }

  /** Removes `observer`; true when it was there. */
  remove(name: string, observer: Observer): boolean {
    const list = this.#own.get(name) ?? []
    const rest = list.filter((item) => item !== observer)
    this.#own.set(name, rest)
    return rest.length < list.length
  }

  /** Removes all observers of one hook, the base's excepted. */
  clear(name: string): void {
    this.#own.delete(name)
  }

  /** Has the records of this model, and of those that extend it, read and written as instances, since their class has code of its own. */
  requireInstances(): void {
    this.#requiresInstances = true
  }

  get requiresInstances(): boolean {
    return this.#requiresInstances || (this.#base?.requiresInstances ?? false)
  }

  /** There are no observers and no class hooks: instances that only they would see need not be made. */
  get isEmpty(): boolean {
    return this.#own.size === 0 && !this.#requiresInstances && (this.#base?.isEmpty ?? true)
  }

  has(name: string): boolean {
    if (this.#own.size === 0) return this.#base?.has(name) ?? false

    return (this.#own.get(name)?.length ?? 0) > 0 || (this.#base?.has(name) ?? false)
  }

  /** Runs the observers of `name` one after the other. An error ends the operation. */
  async notify(name: string, context: HookContext): Promise<void> {
    if (this.#base?.has(name) === true) await this.#base.notify(name, context)
    for (const observer of this.#own.get(name) ?? []) await observer(context)
  }
}
