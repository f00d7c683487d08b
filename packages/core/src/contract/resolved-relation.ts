import type { Row } from './row.ts'
import type { RelationDefinition, RelationKindName } from '../definition/relation-definition.ts'
import type { ModelType } from './model-type.ts'

/** A model between two others, each record of which joins one record of both. */
export interface Through {
  readonly model: ModelType
  /** Its property that names the declaring record. */
  readonly keyFrom: string
  /** Its property that names the related record. */
  readonly keyTo: string
}

/** The property that names the model of a polymorphic key. */
export interface Discriminator {
  readonly property: string
  /** The model's name; absent where each record has its own (belongsTo). */
  readonly value?: string | undefined
}

/** Copies properties from a parent to a record that is made through the relation. */
export type CopyProperties =
  | readonly string[]
  | Readonly<Record<string, string>>
  | ((source: Row, target: Row) => Row | undefined)

/** What happens to related records when their parent is deleted. */
export type OnDelete = 'restrict' | 'cascade' | 'setNull'

/** `options` of a relation, with what LoopBack leaves open. */
export interface RelationSettings {
  /** Path segment of its routes. */
  readonly path: string
  /** A filter, or a function of the parent and the filter that gives one. */
  readonly scope: unknown
  readonly properties: CopyProperties | undefined
  readonly invertProperties: boolean
  readonly disableInclude: boolean
  readonly nestRemoting: boolean
  readonly onDelete: OnDelete | undefined
  /** Functions added to the helper, called with `{ definition, modelInstance }` as `this`. */
  readonly methods: Readonly<Record<string, unknown>>
  /** Everything in `options`, as written. */
  readonly options: Readonly<Record<string, unknown>>
}

/** How the records of a relation are found from a declaring one. */
export interface RelationKeys {
  /** The related model; undefined for a polymorphic belongsTo, where each record has its own. */
  readonly to: ModelType | undefined
  /** The property of the declaring model that holds the key, or the embedded data. */
  readonly keyFrom: string
  /** The property of the related model that holds the same key. */
  readonly keyTo: string
  readonly through?: Through | undefined
  readonly discriminator?: Discriminator | undefined
}

/** What is the same for all relations of a kind. */
export interface RelationKindFacts {
  readonly kind: RelationKindName
  /** It leads to a list of records. */
  readonly many: boolean
  /** Related records are parts of the declaring one, which holds them in a property. */
  readonly embeds: boolean
  /** The declaring record holds the key of the related one, or a list of keys; undefined: it is the other way round. */
  readonly holdsKey: 'one' | 'list' | undefined
}

/** One relation of one model as data: everything that its definition leaves open is filled in. */
export interface ResolvedRelation extends RelationKindFacts, RelationKeys {
  readonly name: string
  /** The type as the definition names it, such as `hasMany` also where a model is between. */
  readonly type: string
  readonly from: ModelType
  readonly settings: RelationSettings
}

/** The relations of all models, each resolved on first use. */
export interface Relations {
  /** The kind of a relation as it is defined; undefined for a type that is not known, or not yet. */
  kindOf(definition: RelationDefinition): RelationKindFacts | undefined
  /** The relations of a model by name, with those that were declared since. */
  of(model: ModelType): ReadonlyMap<string, ResolvedRelation>
  /**
   * Declares a relation in code; one of the same name is replaced. It is resolved at once where the models that it names have their
   * data sources.
   * @throws {RegistrySealed} routes are mounted
   */
  declare(model: ModelType, name: string, definition: RelationDefinition): void
}
