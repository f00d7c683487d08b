import { InvalidDefinition, RegistrySealed, RelationTargetMissing } from '../definition/errors.ts'
import type { RelationDefinition } from '../definition/relation-definition.ts'
import type { Registry } from '../contract/registry.ts'
import type { ModelType } from '../contract/model-type.ts'
import { findNamed, modelNameOf } from './find-target.ts'
import { loopbackKinds, relationKindOf, type RelationKindEntry } from './relation-kinds.ts'
import { relationSettings } from './relation-settings.ts'
import type { RelationKindFacts, Relations, ResolvedRelation } from '../contract/resolved-relation.ts'
import { withoutBlanks } from './without-blanks.ts'

/** Called for relations that lead to no model. */
export type OnMissing = (error: RelationTargetMissing) => void

/** Called for each relation once it is resolved. */
export type OnResolved = (relation: ResolvedRelation) => void

/** A relation that waits until the models that it names have their data sources. */
interface Waiting {
  readonly from: ModelType
  readonly name: string
}

function throwMissing(error: RelationTargetMissing): never {
  throw error
}

/** Resolves the relations of all models into `model.relations`, each on first use. */
export class RelationTable implements Relations {
  /** Called for each relation that leads to no model, once; the default throws. */
  onMissing: OnMissing = throwMissing
  readonly #registry: Registry
  readonly #listeners: OnResolved[] = []
  readonly #missing = new Set<string>()
  readonly #attached = new Set<ModelType>()
  readonly #waiting = new Map<ModelType, Waiting[]>()
  /** Relations that name models which are not defined yet, or are of a kind that a package may still add. */
  readonly #early: Waiting[] = []
  readonly #kinds = new Map<string, RelationKindEntry>(Object.entries(loopbackKinds))
  /** No package adds kinds any more. */
  #knowsKinds = false

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** Calls `listener` with every relation: those that are resolved already, and later ones. */
  follow(listener: OnResolved): void {
    this.#listeners.push(listener)
    for (const model of this.#models()) for (const relation of model.relations.values()) listener(relation)
  }

  /** The kind of a relation as it is defined; undefined for a type that is not known, or not yet. */
  kindOf(definition: RelationDefinition): RelationKindFacts | undefined {
    return relationKindOf(this.#kinds, definition)
  }

  /** The kinds that are declared by a type of their own, by that type. */
  get types(): ReadonlyMap<string, RelationKindEntry> {
    return new Map([...this.#kinds].filter(([, { throughOf }]) => throughOf === undefined))
  }

  /**
   * Adds kinds to those of LoopBack. From now on a type that is not known is an error, in definitions that were made before, too.
   * @throws {InvalidDefinition} a relation has no type that exists
   */
  addKinds(kinds: Readonly<Record<string, RelationKindEntry>>): void {
    for (const [name, kind] of Object.entries(kinds)) this.#kinds.set(name, kind)
    this.#knowsKinds = true
    for (const model of this.#models()) this.checkTypes(model)
    for (const relation of this.#early.splice(0)) this.#resolveOrWait(relation)
  }

  /** No package adds kinds any more. @throws {InvalidDefinition} a relation has no type that exists */
  endKinds(): void {
    if (!this.#knowsKinds) this.addKinds({})
  }

  /** @throws {InvalidDefinition} a relation of the model has no type that exists */
  checkTypes(model: ModelType): void {
    for (const [name, { type }] of Object.entries(model.definition.relations ?? {})) this.#checkType(model, name, type)
  }

  #checkType({ name: model, file }: ModelType, name: string, type: string): void {
    if (!this.#knowsKinds || this.#kinds.has(type)) return
    const place = { model, ...(file !== undefined && { file }), key: `relations.${name}.type` }
    throw new InvalidDefinition(`"${type}" is not a relation type`, place)
  }

  /** The relations of a model by name, with those that were declared since. @throws whatever `onMissing` throws */
  of(model: ModelType): ReadonlyMap<string, ResolvedRelation> {
    if (this.#registry.sealed) return model.relations
    const written = Object.entries(model.definition.relations ?? {})
    for (const [name, definition] of written) if (!model.relations.has(name)) this.#resolve(model, name, definition)
    return model.relations
  }

  /**
   * Declares a relation in code; one of the same name is replaced. It is resolved at once where the models that it names have their
   * data sources.
   * @throws {RegistrySealed} routes are mounted
   * @throws {InvalidDefinition} there is no such type of relations
   */
  declare(model: ModelType, name: string, definition: RelationDefinition): void {
    if (this.#registry.sealed)
      throw new RegistrySealed('the API is mounted, so relations can no longer change: add them before rest', {
        model: model.name,
        key: name
      })
    this.#checkType(model, name, definition.type)
    model.definition.relations = { ...model.definition.relations, [name]: definition }
    model.relations.delete(name)
    if (this.#attached.has(model)) this.#resolveOrWait({ from: model, name })
  }

  /**
   * Resolves, and so adds the keys of, what is possible once a model has its data source: its own relations, then those of
   * others that waited for it. What names a later model, or none, waits.
   * @see LoopBack 3: loopback-datasource-juggler, lib/datasource.js, defineRelations
   * @throws {DefinitionError} a setting of a relation is wrong
   */
  attached(model: ModelType): void {
    if (this.#attached.has(model)) return
    this.#attached.add(model)
    const own = Object.keys(model.definition.relations ?? {}).map((name) => ({ from: model, name }))
    const others = this.#waiting.get(model) ?? []
    const early = this.#early.splice(0)
    this.#waiting.delete(model)
    for (const relation of [...own, ...others, ...early]) this.#resolveOrWait(relation)
  }

  /** Resolves the relations of all models. @throws whatever `onMissing` throws */
  complete(): void {
    this.endKinds()
    for (const model of this.#models()) this.attached(model)
    for (const model of this.#models()) this.of(model)
  }

  #resolveOrWait(relation: Waiting): void {
    const { from, name } = relation
    const definition = from.definition.relations?.[name]
    if (definition === undefined || from.relations.has(name)) return
    const named = [definition.model, definition.through].filter((each) => modelNameOf(each) !== undefined)
    const kind = this.kindOf(withoutBlanks(definition))
    const models = named.map((each) => findNamed(this.#registry, each, kind?.many === true))
    const later = models.find((model) => model !== undefined && !this.#attached.has(model))
    if (later !== undefined) this.#waiting.set(later, [...(this.#waiting.get(later) ?? []), relation])
    else if (kind === undefined || models.includes(undefined)) this.#early.push(relation)
    else this.#resolve(from, name, definition)
  }

  #models(): ModelType[] {
    return this.#registry.names().map((name) => this.#registry.typeOf(name))
  }

  #resolve(from: ModelType, name: string, written: RelationDefinition): void {
    const definition = withoutBlanks(written)
    const found = relationKindOf(this.#kinds, definition)
    if (found === undefined) return
    const { resolve, throughOf: _, ...facts } = found
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
