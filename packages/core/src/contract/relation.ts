import type { Row } from './row.ts'
import type { RelationDefinition, RelationKindName } from '../definition/relation-definition.ts'
import type { ModelType } from './model-type.ts'
import type { Call } from './call.ts'
import type { Restriction } from './access-control.ts'
import type { Awaitable } from '@modelwire/server'

/** A model between two others, each record of which links one record of both. */
export interface Through {
  readonly model: ModelType
  /** Its property that refers to the declaring record. */
  readonly keyFrom: string
  /** Its property that refers to the related record. */
  readonly keyTo: string
}

/** The property that contains the model name of a polymorphic key. */
export interface Discriminator {
  readonly property: string
  /** The model's name; absent if each record has its own (belongsTo). */
  readonly value?: string | undefined
}

/** Copies properties from a parent to a record that is created through the relation. */
export type CopyProperties =
  | readonly string[]
  | Readonly<Record<string, string>>
  | ((source: Row, target: Row) => Row | undefined)

/** What happens to related records when their parent is deleted. */
export type OnDelete = 'restrict' | 'cascade' | 'setNull'

/** `options` of a relation, with defaults for what LoopBack leaves open. */
export interface RelationSettings {
  /** Path segment of its routes. */
  readonly path: string
  /** A filter, or a function of the parent and the filter that returns one. */
  readonly scope: unknown
  readonly properties: CopyProperties | undefined
  readonly invertProperties: boolean
  readonly disableInclude: boolean
  readonly nestRemoting: boolean
  readonly onDelete: OnDelete | undefined
  /** Functions added to the relation's accessor, called with `{ definition, modelInstance }` as `this`. */
  readonly methods: Readonly<Record<string, unknown>>
  /** Everything in `options`, as written. */
  readonly options: Readonly<Record<string, unknown>>
}

/** How to find the records of a relation from a declaring one. */
export interface RelationKeys {
  /** The related model; undefined for a polymorphic belongsTo, whose records each have their own. */
  readonly to: ModelType | undefined
  /** The property of the declaring model that contains the key, or the embedded data. */
  readonly keyFrom: string
  /** The property of the related model that contains the same key. */
  readonly keyTo: string
  readonly through?: Through | undefined
  readonly discriminator?: Discriminator | undefined
}

/** The common facts of all relations of a kind. */
export interface RelationKindFacts {
  readonly kind: RelationKindName
  /** It leads to a list of records. */
  readonly many: boolean
  /** Related records are embedded in a property of the declaring one. */
  readonly embeds: boolean
  /**
   * The declaring record contains the key of the related one, or a list of keys; undefined: the related records contain the
   * key.
   */
  readonly holdsKey: 'one' | 'list' | undefined
}

/** One relation of one model as data, with all defaults filled in. */
export interface ResolvedRelation extends RelationKindFacts, RelationKeys {
  readonly name: string
  /** The type as written in the definition, such as `hasMany` even with a through model. */
  readonly type: string
  readonly from: ModelType
  readonly settings: RelationSettings
}

/** The relations of all models, each resolved on first use. */
export interface Relations {
  /** The kind of a relation definition; undefined for a type that is not known, or not yet. */
  kindOf(definition: RelationDefinition): RelationKindFacts | undefined
  /** The relations of a model by name, including those declared since. */
  of(model: ModelType): ReadonlyMap<string, ResolvedRelation>
  /**
   * Declares a relation in code, replacing one with the same name. It is resolved at once if the models that it names have
   * their data sources.
   * @throws {RegistrySealed} routes are mounted
   */
  declare(model: ModelType, name: string, definition: RelationDefinition): void
}

/** Rows that were read, and the related records to read with them. */
export interface IncludeRequest {
  readonly model: ModelType
  /** Complete rows: what `fields` excludes is dropped when the response is written. */
  readonly rows: readonly Row[]
  /** As written by the caller; the same object for equal requests, if `rest` caches it. */
  readonly include: unknown
  /** The properties of the rows that are shown; all when absent. */
  readonly fields: ReadonlySet<string> | undefined
  readonly call: Call
  /** What the client may see of the rows' model; undefined: everything. */
  readonly restriction: Restriction | undefined
}

/**
 * Reads related records. Core calls it once per query with an `include`, with all rows at once; it returns one object of
 * related values per row, in order: `Records`, or nothing if there is none. Installed by `relations`.
 * @throws {InvalidFilter} (the loader) a relation is unknown
 */
export interface IncludeLoader {
  (request: IncludeRequest): Promise<readonly Record<string, unknown>[]>
  /**
   * Denies what a client may not include, whatever the rows.
   * @throws what access control refuses it with
   */
  readonly refuse?: (request: IncludePlanRequest) => Awaitable<void>
}

/** The include of rows that are not read yet. */
export type IncludePlanRequest = Omit<IncludeRequest, 'rows'>

/** A filter that refers to related records. */
export interface RelatedFilterRequest {
  readonly model: ModelType
  /** As written, with `where` and `order`. */
  readonly filter: Readonly<Record<string, unknown>>
  readonly call: Call
  /** What the client may see of the model; undefined: everything. */
  readonly restriction?: Restriction | undefined
  /** The result is visible to others than the database, or used before execution: it must contain keys. Default false. */
  readonly asKeys?: boolean
  /** The one record that the condition will be tested on: only its related records are read. */
  readonly record?: Row | undefined
}

/** A filter that a connector can execute by itself. */
export interface ResolvedFilter {
  readonly filter: unknown
  /** Sorts all rows that match, before pagination; absent if the connector can do it. */
  readonly sort?: (rows: readonly Row[]) => Promise<readonly Row[]>
}

/**
 * Resolves the parts of a filter that refer to related records into conditions on keys. Installed by `relations`.
 * @throws {InvalidFilter} (the function) the condition is not possible on related records
 */
export type RelatedFilter = (request: RelatedFilterRequest) => Promise<ResolvedFilter>
