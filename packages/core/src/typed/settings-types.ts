import type { Static } from '@sinclair/typebox'
import type { AccessRule } from '../definition/access-rule.ts'
import type { ObjectSchema } from '../definition/schema-types.ts'
import type { RuleKind } from '../rules/rules.ts'
import type { ModelDefinitionSchema } from '../definition/model-definition.ts'
import type { RelationDefinitionSchema, RelationKindName } from '../definition/relation-definition.ts'

/**
 * Settings that packages read. They extend it: `interface PackageSettings { ttl?: number }`.
 * @example
 * ```ts
 * import { defineModel } from '@modelwire/core'
 * import { Type } from '@sinclair/typebox'
 *
 * declare module '@modelwire/core' {
 *   interface PackageSettings {
 *     archiveAfter?: number
 *   }
 * }
 * const Note = defineModel('Note', Type.Object({ text: Type.String() }), { archiveAfter: 30 })
 * console.log(Note['archiveAfter']) // 30
 * ```
 */
export interface PackageSettings {
  caseSensitiveEmail?: boolean
  defaultPermission?: 'ALLOW' | 'DENY'
  aclErrorStatus?: number
  scopeMethods?: object
  /** `tag` and `example` of the model in documents. */
  swagger?: object
  /** Settings of tables. */
  postgresql?: object
  mysql?: object
  sqlite3?: object
  updateOnly?: boolean
}

type RelationShape = Static<typeof RelationDefinitionSchema>

/** One entry of `relations`. */
export interface RelationSettingsInput extends Omit<RelationShape, 'type' | 'onDelete'> {
  readonly type: RelationKindName
  readonly onDelete?: 'restrict' | 'cascade' | 'setNull'
  readonly invertProperties?: boolean
}

/**
 * Names of mixins with the properties that they add, by their options `O`. Applications extend it with their own mixins.
 * @example
 * ```ts
 * import { defineModel, type ModelsOf } from '@modelwire/core'
 * import { Type } from '@sinclair/typebox'
 *
 * declare module '@modelwire/core' {
 *   interface MixinProperties<O> {
 *     Slug: { slug: string }
 *   }
 * }
 * const models = { Note: defineModel('Note', Type.Object({ text: Type.String() }), { mixins: { Slug: true } }) }
 * export const slugs = async ({ Note }: ModelsOf<typeof models>) => (await Note.find()).map(({ slug }) => slug)
 * console.log(models.Note.mixins) // { Slug: true }
 * ```
 */
export interface MixinProperties<O> {
  TimeStamp: { [K in OptionText<O, 'createdAt'> | OptionText<O, 'updatedAt'>]: Date }
  SoftDelete: {}
}

/**
 * Options of mixins by their names. Applications extend it with those of their own mixins.
 * @example
 * ```ts
 * import { defineModel } from '@modelwire/core'
 * import { Type } from '@sinclair/typebox'
 *
 * declare module '@modelwire/core' {
 *   interface MixinOptions {
 *     Slug: { from?: string }
 *   }
 * }
 * const Note = defineModel('Note', Type.Object({ title: Type.String() }), { mixins: { Slug: { from: 'title' } } })
 * console.log(Note.mixins) // { Slug: { from: 'title' } }
 * ```
 */
export interface MixinOptions {
  TimeStamp: { createdAt?: string; updatedAt?: string }
  SoftDelete: { deletedAt?: string }
}

type OptionText<O, K extends string> = O extends { readonly [P in K]: infer N extends string } ? N : K

/**
 * Base models of packages, with the properties that models inherit from them. Packages extend it.
 * @example
 * ```ts
 * import { defineModel } from '@modelwire/core'
 * import { Type } from '@sinclair/typebox'
 *
 * declare module '@modelwire/core' {
 *   interface BaseModels {
 *     Dated: { record: { at: Date }; optional: 'at'; methods: {}; statics: {} }
 *   }
 * }
 * console.log(defineModel('Note', Type.Object({ text: Type.String() }), { base: 'Dated' }).base) // Dated
 * ```
 */
export interface BaseModels {}

/** A rule of `validations`. */
export interface ValidationInput {
  readonly rule: RuleKind
  readonly message?: string | Readonly<Record<string, string>>
  readonly code?: string
  readonly if?: unknown
  readonly unless?: unknown
  readonly allowNull?: boolean
  readonly allowBlank?: boolean
  /** For `length`: `min`, `max`, `is`. For `range`: `min`, `max`, `moreThan`, `lessThan`, `multipleOf`. */
  readonly min?: number
  readonly max?: number
  readonly is?: number
  readonly moreThan?: number
  readonly lessThan?: number
  readonly multipleOf?: number
  /** For `numericality`: only integers. */
  readonly int?: boolean
  /** For `inclusion` and `exclusion`. */
  readonly in?: readonly unknown[]
  /** For `format`: a regular expression, or its source. */
  readonly with?: RegExp | string
  /** For `uniqueness`: further properties of the unique combination. */
  readonly scopedTo?: string | readonly string[]
}

/** Rules by property, or a list of rules that name their property. */
type ValidationsInput =
  | Readonly<Record<string, ValidationInput | readonly ValidationInput[]>>
  | readonly (ValidationInput & { readonly property: string })[]

type Shape = Static<typeof ModelDefinitionSchema>

/**
 * Settings of a model: every key of a LoopBack model file except its name and properties.
 * @example
 * ```ts
 * import { defineModel, type ModelSettings } from '@modelwire/core'
 * import { Type } from '@sinclair/typebox'
 *
 * const settings = { public: true, hidden: ['cost'] } satisfies ModelSettings
 * const Part = defineModel('Part', Type.Object({ name: Type.String(), cost: Type.Number() }), settings)
 * console.log(Part.public, Part.hidden) // true [ 'cost' ]
 * ```
 */
export interface ModelSettings
  extends
    Partial<Omit<Shape, 'name' | 'properties' | 'relations' | 'acls' | 'validations' | 'checks'>>,
    PackageSettings {
  readonly relations?: Readonly<Record<string, RelationSettingsInput>>
  readonly acls?: readonly AccessRule[]
  readonly validations?: ValidationsInput
  readonly checks?: Readonly<
    Record<string, { readonly where: Readonly<Record<string, unknown>>; readonly message?: string }>
  >
}

type Unknown<Written, Known> = Readonly<Partial<Record<Exclude<keyof Written, keyof Known>, never>>>

/** The parts of a filter allowed in `scope` and `scopes`. */
interface ScopeShape {
  where?: unknown
  order?: unknown
  fields?: unknown
  include?: unknown
  limit?: unknown
  skip?: unknown
  offset?: unknown
}

/** Keys of `A` that are not in `Known`, separately for each member of a union. */
type SlipsOf<A, Known> = A extends unknown ? Exclude<keyof A, keyof Known> : never
/** The rules of `validations`, in either form. */
type RulesIn<V> = V extends readonly (infer R)[]
  ? R
  : { [K in keyof V]: V[K] extends readonly (infer R)[] ? R : V[K] }[keyof V]
/** Refuses a list with misspelt keys, naming them. */
type Refused<Slips> = [Slips] extends [never] ? unknown : { readonly misspelt: Slips }

/**
 * Names allowed in `indexes`: any, if properties come from a base, from mixins that types do not know, or from other
 * relations.
 */
type IndexableName<S, P> =
  | (S extends { readonly base: unknown } | { readonly strict: false } ? string : never)
  | (S extends { readonly mixins: infer M } ? MixinName<M> : never)
  | (S extends { readonly relations: infer R } ? KeyOfRelation<R[keyof R]> : never)
  | (S extends { readonly optimisticLocking: infer O } ? OptionText<O, 'property'> | 'version' : never)
  | (keyof P & string)
  | 'id'
  | `${string}${'Id' | 'Type' | '_id' | '_type'}`
type MixinName<M> =
  | {
      [K in keyof M]: K extends keyof MixinOptions ? M[K][keyof M[K] & keyof MixinOptions[K]] & string : string
    }[keyof M]
  | 'createdAt'
  | 'updatedAt'
  | 'deletedAt'
type KeyOfRelation<R> = R extends { readonly type: 'belongsTo' | 'hasMany' | 'hasOne' | 'hasAndBelongsToMany' }
  ? R extends { readonly foreignKey: infer K extends string }
    ? K
    : never
  : string

/** Keys of entries of `indexes` that are not in `N`. */
type SlipsOfIndex<I, N> = I extends { readonly keys: readonly (infer K)[] }
  ? UnlessNamed<K, N>
  : I extends { readonly keys: infer K }
    ? UnlessNamed<keyof K, N>
    : I extends { readonly columns: unknown } | { readonly fields: unknown }
      ? never
      : { [K in keyof I]: I[K] extends 1 | -1 ? UnlessNamed<K, N> : never }[keyof I]
type UnlessNamed<K, N> = K extends N | `${N & string}.${string}` ? never : string extends K ? never : K

/** Names in an entry of `checks` that are not in `N`. */
type SlipsOfCheck<C, N> = C extends { readonly where: infer W } ? UnlessNamed<Exclude<keyof W, 'and' | 'or'>, N> : never

/** The checked parts of settings, by their keys. */
interface CheckedParts<S, P> {
  readonly indexes: S extends { readonly indexes: infer I }
    ? Refused<{ [K in keyof I]: SlipsOfIndex<I[K], IndexableName<S, P>> }[keyof I]>
    : unknown
  readonly aggregate: S extends { readonly aggregate: { readonly properties: readonly (infer K)[] } }
    ? Refused<UnlessNamed<K, IndexableName<S, P>>>
    : unknown
  readonly relations: S extends { readonly relations: infer R }
    ? { readonly [K in keyof R]: Unknown<R[K], RelationSettingsInput> }
    : unknown
  readonly acls: S extends { readonly acls: readonly (infer A)[] } ? Refused<SlipsOf<A, AccessRule>> : unknown
  readonly validations: S extends { readonly validations: infer V }
    ? Refused<SlipsOf<RulesIn<V>, ValidationInput & { property: string }>>
    : unknown
  readonly checks: S extends { readonly checks: infer C }
    ? Refused<{ [K in keyof C]: SlipsOfCheck<C[K], IndexableName<S, P>> }[keyof C]>
    : unknown
  readonly mixins: S extends { readonly mixins: infer M }
    ? { readonly [K in keyof M & keyof MixinOptions]?: M[K] extends boolean ? unknown : Unknown<M[K], MixinOptions[K]> }
    : unknown
  readonly scope: S extends { readonly scope: infer W extends object } ? Unknown<W, ScopeShape> : unknown
}

/** Settings without unknown keys, which are probably misspelt. Custom ones belong in `options`. */
export type CheckedSettings<S, P extends ObjectSchema> = S &
  Unknown<S, ModelSettings> &
  Partial<CheckedParts<S, P['properties']>>
