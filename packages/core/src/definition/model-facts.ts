/**
 * The types' knowledge about a model in addition to the properties of its records.
 * @example
 * ```ts
 * import type { ModelClass, ModelFacts } from '@modelwire/core'
 *
 * const isEmpty = async <T extends object, F extends ModelFacts>(model: ModelClass<T, F>) =>
 *   (await model.count()) === 0
 * console.log(await isEmpty(app.models.Product)) // false
 * ```
 */
export interface ModelFacts {
  /** The type of ids; unknown if it may be any. */
  readonly id: unknown
  /** Names of properties that a new record may omit, since they have defaults. */
  readonly optional: PropertyKey
  /** `RelatedFacts` by the names of relations; any names if the model's relations are unknown. */
  readonly relations: object
  /** Methods that records inherit from a base model of a package, such as `hasPassword`. */
  readonly methods: object
}

/**
 * One relation, at the type level.
 * @example
 * ```ts
 * import type { ModelFacts, RelatedFacts } from '@modelwire/core'
 *
 * type Related<R extends RelatedFacts> = R['many'] extends true ? R['record'][] : R['record'] | null
 * const reviews: Related<{ record: { stars: number }; facts: ModelFacts; many: true }> = [{ stars: 5 }]
 * console.log(reviews[0]?.stars) // 5
 * ```
 */
export interface RelatedFacts {
  readonly record: object
  readonly facts: ModelFacts
  readonly many: boolean
}

/** The facts of a model without a typed definition: it may have relations of any name. */
export interface UnknownFacts extends ModelFacts {
  readonly id: unknown
  readonly optional: never
  readonly relations: Readonly<Record<string, RelatedFacts>>
  readonly methods: {}
}

/** Names of the properties of `T`. */
export type Name<T> = keyof T & string

/** The relations of a model with known names; none if any are possible. */
export type DeclaredRelations<F extends ModelFacts> = string extends keyof F['relations'] ? {} : F['relations']

/** A record with its id, which is a number unless declared otherwise. */
export type WithId<T> = 'id' extends keyof T ? T : T & { id: number }

/** What can be passed as an id in addition to ids: keys that may be absent, ids of MongoDB, and numeric strings. */
type IdLike<Id> = Id | null | undefined | { toHexString(): string } | (number extends Id ? `${number}` : never)

/** An argument `V` in place of an id. Strings known only at run time are converted. */
export type IdArgument<Id, V> = unknown extends Id | V ? V : [V] extends [IdLike<Id>] ? V : string extends V ? V : Id

/**
 * Data of a new record: its id, and properties with defaults, may be absent.
 * @example
 * ```ts
 * import type { NewRecord } from '@modelwire/core'
 *
 * const chair: NewRecord<{ name: string; price: number; stock: number }> = { name: 'Chair', price: 60, stock: 4 }
 * const { id } = await app.models.Product.create(chair)
 * console.log(id) // 3
 * ```
 */
export type NewRecord<T, F extends ModelFacts = UnknownFacts> = Omit<T, 'id' | F['optional']> & {
  id?: 'id' extends keyof T ? T['id'] : number | undefined
} & { [K in Extract<keyof T, F['optional']> as K extends 'id' ? never : K]?: T[K] | undefined }
