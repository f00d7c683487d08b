import { RegistrySealed } from './errors.ts'

/** A remote method as written in a script or under `methods` of a model file. */
export type MethodSpec = Record<string, unknown>

/** A method that a connector gave to a model. */
export interface BroughtMethod {
  /** How clients call it; undefined: they do not. */
  readonly spec: MethodSpec | undefined
  /** Puts back what it replaced. */
  readonly undo: () => void
}

/** The remote methods of one model that scripts or its definition declare, and which methods are switched off. */
export class MethodTable {
  readonly specs = new Map<string, MethodSpec>()
  readonly #disabled = new Set<string>()
  readonly #brought = new Map<string, BroughtMethod>()
  /** The model whose methods are mounted. */
  #sealedFor: string | undefined

  /** Ends the time in which methods are declared and switched off. */
  seal(model: string): void {
    this.#sealedFor = model
  }

  #refuseWhenSealed(name: string): void {
    if (this.#sealedFor !== undefined)
      throw new RegistrySealed('the API is mounted, so remote methods can no longer change: do it before rest', {
        model: this.#sealedFor,
        key: name
      })
  }

  /** Declares a remote method; one of the same name is replaced. @throws {RegistrySealed} routes are mounted */
  declare(name: string, spec: MethodSpec): void {
    this.#refuseWhenSealed(name)
    this.specs.set(name, spec)
  }

  /** Notes a method that the connector brings. What the model declares of a method of that name stays. */
  bring(name: string, brought: BroughtMethod): void {
    const { spec } = brought
    this.#brought.set(name, brought)
    if (spec !== undefined && !this.specs.has(name)) this.specs.set(name, spec)
  }

  /** Takes away a method that a connector brought. */
  takeBack(name: string): void {
    const { spec, undo } = this.#brought.get(name) ?? {}
    if (spec !== undefined && this.specs.get(name) === spec) this.specs.delete(name)
    this.#brought.delete(name)
    undo?.()
  }

  /** Names of the methods that the connector brought. */
  get brought(): readonly string[] {
    return [...this.#brought.keys()]
  }

  /** Switches a method off by its name or one of its aliases. @throws {RegistrySealed} routes are mounted */
  disable(name: string): void {
    this.#refuseWhenSealed(name)
    this.#disabled.add(name)
  }

  get disabled(): ReadonlySet<string> {
    return this.#disabled
  }
}
