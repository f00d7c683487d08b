import { type ModelRegistry, type ModelType, type RelationDefinition, RegistrySealed } from '@modelwire/core'
import { RelationTargetMissing } from './errors.ts'
import { kindOf } from './kinds/index.ts'
import { relationSettings } from './definition/relation-settings.ts'
import { withoutBlanks } from './definition/without-blanks.ts'
import type { Relation } from './relation.ts'

/** Hears of relations that lead to no model. */
export type OnMissing = (error: RelationTargetMissing) => void

/** The relations of all models, each resolved when it is first asked for. */
export class RelationTable {
  readonly #registry: ModelRegistry
  readonly #onResolved: (relation: Relation) => void
  readonly #onMissing: OnMissing
  readonly #byModel = new Map<string, Map<string, Relation>>()
  readonly #missing = new Set<string>()

  /**
   * @param onResolved hears of each relation once
   * @param onMissing hears of each relation that leads to no model; it may throw
   */
  constructor(registry: ModelRegistry, onResolved: (relation: Relation) => void, onMissing: OnMissing) {
    this.#registry = registry
    this.#onResolved = onResolved
    this.#onMissing = onMissing
  }

  /** The relations of a model by name. */
  of(model: ModelType): ReadonlyMap<string, Relation> {
    const known = this.#byModel.get(model.name) ?? new Map<string, Relation>()
    if (this.#registry.sealed) return known
    this.#byModel.set(model.name, known)
    const written = Object.entries(model.definition.relations ?? {})
    for (const [name, definition] of written) if (!known.has(name)) this.#resolve(model, name, definition, known)
    return known
  }

  /** Declares a relation in code; one of the same name is replaced. @throws {RegistrySealed} routes are mounted */
  declare(model: ModelType, name: string, definition: RelationDefinition): void {
    if (this.#registry.sealed)
      throw new RegistrySealed('routes are mounted: relations cannot change any more', { model: model.name, key: name })
    const relations = { ...model.definition.relations, [name]: definition }
    model.definition.relations = relations
    this.#byModel.get(model.name)?.delete(name)
  }

  /** Resolves the relations of all models. @throws whatever `onMissing` throws */
  complete(): void {
    for (const name of this.#registry.names()) this.of(this.#registry.typeOf(name))
  }

  /** Every relation that is resolved. */
  get all(): readonly Relation[] {
    return [...this.#byModel.values()].flatMap((relations) => [...relations.values()])
  }

  #resolve(model: ModelType, name: string, written: RelationDefinition, known: Map<string, Relation>): void {
    const definition = withoutBlanks(written)
    const kind = kindOf(definition)
    const settings = relationSettings(model, name, definition)
    try {
      const relation = kind.resolve({ registry: this.#registry, name, kind, from: model, definition, settings })
      known.set(name, relation)
      model.relationNames.add(name)
      this.#onResolved(relation)
    } catch (error) {
      if (!(error instanceof RelationTargetMissing)) throw error
      this.#report(`${model.name}.${name}`, error)
    }
  }

  #report(name: string, error: RelationTargetMissing): void {
    if (this.#missing.has(name)) return
    this.#missing.add(name)
    this.#onMissing(error)
  }
}
