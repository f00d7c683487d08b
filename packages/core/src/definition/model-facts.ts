/** What types know of a model besides the properties of its records. */
export interface ModelFacts {
  /** The type of ids; unknown where it may be any. */
  readonly id: unknown
  /** Names of properties that a new record may lack: they have defaults. */
  readonly optional: PropertyKey
  /** `RelatedFacts` by the names of relations; any names where the model's relations are unknown. */
  readonly relations: object
  /** Methods that records inherit from a base model of a package, such as `hasPassword`. */
  readonly methods: object
}

/** One relation, as types know it. */
export interface RelatedFacts {
  readonly record: object
  readonly facts: ModelFacts
  readonly many: boolean
}

/** The facts of a model whose definition types do not know: it may have relations of any name. */
export interface UnknownFacts extends ModelFacts {
  readonly id: unknown
  readonly optional: never
  readonly relations: Readonly<Record<string, RelatedFacts>>
  readonly methods: {}
}

/** Names of the properties of `T`. */
export type Name<T> = keyof T & string

/** The relations of a model that are known by name; none where any are possible. */
export type DeclaredRelations<F extends ModelFacts> = string extends keyof F['relations'] ? {} : F['relations']

/** A record with its id, which is a number unless it is declared. */
export type WithId<T> = 'id' extends keyof T ? T : T & { id: number }

/** What can be asked for as an id besides ids: keys that may be absent, ids of MongoDB, and strings of numbers. */
type IdLike<Id> = Id | null | undefined | { toHexString(): string } | (number extends Id ? `${number}` : never)

/** An argument `V` in place of an id. Strings that are known only at run time are converted. */
export type IdArgument<Id, V> = unknown extends Id | V ? V : [V] extends [IdLike<Id>] ? V : string extends V ? V : Id

/** Data of a new record: its id, and what has a default, may be absent. */
export type NewRecord<T, F extends ModelFacts = UnknownFacts> = Omit<T, 'id' | F['optional']> & {
  id?: 'id' extends keyof T ? T['id'] : number | undefined
} & { [K in Extract<keyof T, F['optional']> as K extends 'id' ? never : K]?: T[K] | undefined }
