import { InvalidRelation, type ModelType } from '@modelwire/core/plugin'
import type { Nesting } from './nested-operations.ts'

/** How a relation's nested routes look. */
export type NestingOptions = Omit<Nesting, 'relation'>

/** The relations that code gave nested routes. */
export class Nestings {
  readonly #byModel = new Map<ModelType, Map<string, NestingOptions>>()

  /** Remembers how a relation is nested; an earlier setting is replaced. */
  add(model: ModelType, relation: string, options: NestingOptions): void {
    const existing = this.#byModel.get(model) ?? new Map<string, NestingOptions>()
    this.#byModel.set(model, existing.set(relation, options))
  }

  /** How the relations of a model are nested, by their names. */
  of(model: ModelType): ReadonlyMap<string, NestingOptions> {
    return this.#byModel.get(model) ?? new Map<string, NestingOptions>()
  }

  /** @throws {InvalidRelation} a relation that is to be nested is declared nowhere */
  check(): void {
    for (const [model, nested] of this.#byModel) for (const name of nested.keys()) checkDeclared(model, name)
  }
}

function checkDeclared(model: ModelType, name: string): void {
  if (model.definition.relations?.[name] !== undefined) return
  const place = { model: model.name, key: `relations.${name}` }
  throw new InvalidRelation('no such relation is declared: it cannot have nested routes', place)
}
