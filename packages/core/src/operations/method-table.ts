import type { MethodSpec } from './compile-method.ts'
import { changesMany } from './effect.ts'
import { namesOf } from './method-name.ts'
import type { Operation } from './operation.ts'

/** What a script or a configuration says about which methods are reachable. `*` is the default of all. */
export type SharedMethods = Readonly<Record<string, boolean>>

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
  /** Operations given as values, without a function of the model behind them. */
  readonly operations: Operation[] = []
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

/** What decides whether an operation is reachable. */
export type SharedOperation = Pick<
  Operation,
  'model' | 'name' | 'aliases' | 'onInstance' | 'effect' | 'sharedByDefault'
>

const isPattern = (name: string): boolean => name.includes('*')

/** Names with `*` match any part of a method's name. LB3: lib/configure-shared-methods.js, which does not anchor them. */
export function matchesMethod(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  let end = name.indexOf(first) + first.length
  if (!name.includes(first)) return false
  for (const part of rest) {
    const found = name.indexOf(part, end)
    if (found === -1) return false
    end = found + part.length
  }
  return true
}

/** What a setting says of an operation: the name counts more than patterns, of which one that switches off wins. */
function sharedBy(setting: SharedMethods, name: string, byPatterns: boolean): boolean | undefined {
  const found = Object.keys(setting).filter((key) => isPattern(key) && matchesMethod(key, name))
  if (setting[name] !== undefined || found.length === 0) return setting[name]
  const shared = found.every((key) => setting[key] === true)
  return shared && !byPatterns ? undefined : shared
}

/**
 * Whether an operation is reachable. Scripts may use aliases, `sharedMethods` only the name itself or a pattern such as
 * `prototype.__*`; of several settings that say something about it the last decides. One that changes or deletes many records at
 * once has to be shared by its name. In `compat` mode patterns are enough, and the settings are read as one, as in LoopBack.
 * @see recordings exposure/scripted, exposure/star, exposure/global
 */
export function isShared(
  operation: SharedOperation,
  disabled: ReadonlySet<string>,
  ...settings: readonly (SharedMethods | undefined)[]
): boolean {
  if (namesOf(operation).some((name) => disabled.has(name))) return false
  const { name, model, effect, sharedByDefault = true } = operation
  const { compat } = model.registry
  const needsName = !compat && changesMany(effect)
  const merged = Object.fromEntries(settings.flatMap((setting) => Object.entries(setting ?? {})))
  const said = (compat ? [merged] : settings).map((setting) => sharedBy(setting ?? {}, name, !needsName))
  return said.findLast((value) => value !== undefined) ?? (!needsName && sharedByDefault)
}
