import { RegistrySealed, RelationTargetMissing } from '../../definition/errors.ts'
import type { RelationDefinition } from '../../definition/relation-definition.ts'
import type { ModelRegistry } from '../../registry.ts'
import type { ModelType } from '../model-type.ts'
import { inOrderOfModels } from './in-order-of-models.ts'
import { relationKindOf } from './relation-kinds.ts'
import { relationSettings } from './relation-settings.ts'
import type { ResolvedRelation } from './resolved-relation.ts'
import { withoutBlanks } from './without-blanks.ts'

/** Hears of relations that lead to no model. */
export type OnMissing = (error: RelationTargetMissing) => void

/** Hears of each relation once it is resolved. */
export type OnResolved = (relation: ResolvedRelation) => void

function throwMissing(error: RelationTargetMissing): never {
  throw error
}

/** Resolves the relations of all models into `model.relations`, each when it is first asked for. */
export class RelationTable {
  /** Hears of each relation that leads to no model, once; throws unless somebody else is told. */
  onMissing: OnMissing = throwMissing
  readonly #registry: ModelRegistry
  readonly #listeners: OnResolved[] = []
  readonly #missing = new Set<string>()

  constructor(registry: ModelRegistry) {
    this.#registry = registry
  }

  /** Calls `listener` with every relation: those that are resolved already, and later ones. */
  follow(listener: OnResolved): void {
    this.#listeners.push(listener)
    for (const model of this.#models()) for (const relation of model.relations.values()) listener(relation)
  }

  /** The relations of a model by name, with those that were declared since. @throws whatever `onMissing` throws */
  of(model: ModelType): ReadonlyMap<string, ResolvedRelation> {
    if (this.#registry.sealed) return model.relations
    const written = Object.entries(model.definition.relations ?? {})
    for (const [name, definition] of written) if (!model.relations.has(name)) this.#resolve(model, name, definition)
    return model.relations
  }

  /** Declares a relation in code; one of the same name is replaced. @throws {RegistrySealed} routes are mounted */
  declare(model: ModelType, name: string, definition: RelationDefinition): void {
    if (this.#registry.sealed)
      throw new RegistrySealed('routes are mounted: relations cannot change any more', { model: model.name, key: name })
    model.definition.relations = { ...model.definition.relations, [name]: definition }
    model.relations.delete(name)
  }

  /**
   * Resolves the relations of all models, and so adds their keys to the properties, in LoopBack's order.
   * @throws whatever `onMissing` throws
   */
  complete(): void {
    for (const { model, name, definition } of inOrderOfModels(this.#registry, this.#models()))
      if (!model.relations.has(name)) this.#resolve(model, name, definition)
    for (const model of this.#models()) this.of(model)
  }

  #models(): ModelType[] {
    return this.#registry.names().map((name) => this.#registry.typeOf(name))
  }

  #resolve(from: ModelType, name: string, written: RelationDefinition): void {
    const definition = withoutBlanks(written)
    const { resolve, ...facts } = relationKindOf(definition)
    const settings = relationSettings(from, name, definition)
    try {
      const keys = resolve({ registry: this.#registry, name, many: facts.many, from, definition, settings })
      const relation = { name, type: definition.type, from, settings, ...facts, ...keys }
      from.relations.set(name, relation)
      for (const listener of this.#listeners) listener(relation)
    } catch (error) {
      if (!(error instanceof RelationTargetMissing)) throw error
      this.#report(`${from.name}.${name}`, error)
    }
  }

  #report(name: string, error: RelationTargetMissing): void {
    if (this.#missing.has(name)) return
    this.onMissing(error)
    this.#missing.add(name)
  }
}
