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

  /** Declares a remote method; one of the same name is replaced. */
  declare(name: string, spec: MethodSpec): void {
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

  /** Switches a method off by its name or one of its aliases. */
  disable(name: string): void {
    this.#disabled.add(name)
  }

  get disabled(): ReadonlySet<string> {
    return this.#disabled
  }
}
