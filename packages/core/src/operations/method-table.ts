import type { MethodSpec } from './compile-method.ts'
import type { Operation } from './operation.ts'

/** What a script or a configuration says about which methods are reachable. `*` is the default of all. */
export type SharedMethods = Readonly<Record<string, boolean>>

/** The remote methods of one model that scripts or its definition declare, and which methods are switched off. */
export class MethodTable {
  readonly specs = new Map<string, MethodSpec>()
  /** Operations given as values, without a function of the model behind them. */
  readonly operations: Operation[] = []
  readonly #disabled = new Set<string>()

  /** Declares a remote method; one of the same name is replaced. */
  declare(name: string, spec: MethodSpec): void {
    this.specs.set(name, spec)
  }

  /** Switches a method off by its name or one of its aliases. */
  disable(name: string): void {
    this.#disabled.add(name)
  }

  get disabled(): ReadonlySet<string> {
    return this.#disabled
  }
}

/**
 * Whether an operation is reachable. Scripts may use aliases, `sharedMethods` only the name itself; of several settings
 * that say something about it the last decides.
 * @see recordings exposure/scripted, exposure/star, exposure/global
 */
export function isShared(
  operation: Operation,
  disabled: ReadonlySet<string>,
  ...settings: readonly (SharedMethods | undefined)[]
): boolean {
  const prefix = operation.onInstance ? 'prototype.' : ''
  if ([operation.name, ...operation.aliases.map((alias) => prefix + alias)].some((name) => disabled.has(name)))
    return false
  const said = settings
    .map((setting) => setting?.[operation.name] ?? setting?.['*'])
    .filter((value) => value !== undefined)
  return said.at(-1) ?? true
}
