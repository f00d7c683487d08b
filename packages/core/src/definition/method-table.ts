import { RegistrySealed } from './errors.ts'

const prefix = 'prototype.'

/** True for the name of an instance method, such as `prototype.patchAttributes`. */
export const isOfRecords = (name: string): boolean => name.startsWith(prefix)

/** The name of a method's function: `patchAttributes` for `prototype.patchAttributes`. */
export const shortName = (name: string): string => (isOfRecords(name) ? name.slice(prefix.length) : name)

/** The name of an instance method as written in access rules and `sharedMethods`. */
export const nameOfRecords = (short: string): string => `${prefix}${short}`

/** The parts of an operation that determine its names. */
export interface NamedMethod {
  readonly name: string
  readonly aliases: readonly string[]
  readonly onInstance: boolean
}

/** The path of a method relative to its model's: that of an instance method is below the id. */
export const endpointPath = (onInstance: boolean, path: string): string =>
  `${onInstance ? '/:id' : ''}${path.startsWith('/') ? path : `/${path}`}`

/**
 * A remote method as written in a script or under `methods` of a model file.
 * @example
 * ```ts
 * import type { MethodSpec } from '@modelwire/core'
 * import { rest } from '@modelwire/rest'
 *
 * const greet: MethodSpec = {
 *   accepts: { arg: 'name', type: 'string' },
 *   returns: { arg: 'text', type: 'string' },
 *   http: { verb: 'get' }
 * }
 * const Desk = app.models.define({ name: 'Desk', public: true, methods: { greet } })
 * Object.assign(Desk, { greet: async (name: string) => `Hello ${name}` })
 * await app.register(rest)
 * console.log((await app.inject('/Desks/greet?name=Ann')).body) // {"text":"Hello Ann"}
 * ```
 */
export type MethodSpec = Record<string, unknown>

/** A method that a connector added to a model. */
export interface BroughtMethod {
  /** How clients call it; undefined: they cannot. */
  readonly spec: MethodSpec | undefined
  /** Restores what it replaced. */
  readonly undo: () => void
}

/** The remote methods of one model that scripts or its definition declare, and the disabled methods. */
export class MethodTable {
  readonly specs = new Map<string, MethodSpec>()
  readonly #disabled = new Set<string>()
  readonly #brought = new Map<string, BroughtMethod>()
  /** The model whose methods are mounted. */
  #sealedFor: string | undefined

  /** Seals the table: methods can no longer be declared or disabled. */
  seal(model: string): void {
    this.#sealedFor = model
  }

  #refuseWhenSealed(name: string): void {
    if (this.#sealedFor !== undefined)
      throw new RegistrySealed(
        'the API is mounted, so remote methods can no longer change: change them before registering rest',
        {
          model: this.#sealedFor,
          key: name
        }
      )
  }

  /**
   * Declares a remote method, replacing one with the same name.
   * @throws {RegistrySealed} routes are mounted
   */
  declare(name: string, spec: MethodSpec): void {
    this.#refuseWhenSealed(name)
    this.specs.set(name, spec)
  }

  /** Adds a method of the connector. The model's own declaration of a method of that name is kept. */
  bring(name: string, brought: BroughtMethod): void {
    const { spec } = brought
    this.#brought.set(name, brought)
    if (spec !== undefined && !this.specs.has(name)) this.specs.set(name, spec)
  }

  /** Removes a method that a connector added. */
  takeBack(name: string): void {
    const { spec, undo } = this.#brought.get(name) ?? {}
    if (spec !== undefined && this.specs.get(name) === spec) this.specs.delete(name)
    this.#brought.delete(name)
    undo?.()
  }

  /** Names of the methods that the connector added. */
  get brought(): readonly string[] {
    return [...this.#brought.keys()]
  }

  /**
   * Disables a method by its name or one of its aliases.
   * @throws {RegistrySealed} routes are mounted
   */
  disable(name: string): void {
    this.#refuseWhenSealed(name)
    this.#disabled.add(name)
  }

  get disabled(): ReadonlySet<string> {
    return this.#disabled
  }
}

/** The names of an operation, its own first, as written in access rules. */
export function namesOf({ name, aliases, onInstance }: NamedMethod): string[] {
  return [name, ...aliases.map((alias) => (onInstance ? nameOfRecords(alias) : alias))]
}
