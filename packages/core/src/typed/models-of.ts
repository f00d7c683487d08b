import type { ModelClass } from './model-class.ts'
import type { ModelFacts, Name, UnknownFacts } from '../definition/model-facts.ts'
import type { ModelDefinition } from '../definition/model-definition.ts'
import type { RelationKindName, RelationKindTypes } from '../definition/relation-definition.ts'
import type { BaseModels, MixinProperties } from './settings-types.ts'

declare const record: unique symbol
declare const written: unique symbol

/** The parts of the settings of `defineModel` that types keep. */
export interface WrittenSettings {
  readonly id: unknown
  readonly optional: PropertyKey
  readonly base: unknown
  readonly mixins: unknown
  readonly relations: unknown
}

/**
 * A definition with a known record type.
 * @example
 * ```ts
 * import { defineModel, type TypedDefinition } from '@modelwire/core'
 * import { Type } from '@sinclair/typebox'
 *
 * const Note: TypedDefinition<{ text: string }> = defineModel('Note', Type.Object({ text: Type.String() }))
 * console.log(Note.strict) // true
 * ```
 */
export interface TypedDefinition<
  T extends object = Record<string, unknown>,
  W extends WrittenSettings = WrittenSettings
> extends ModelDefinition {
  readonly [record]?: T
  readonly [written]?: W
}

/** The kinds of relations with these facts. */
type KindsWith<F> = { [K in RelationKindName]: RelationKindTypes[K] extends F ? K : never }[RelationKindName]

type Definitions = Readonly<Record<string, ModelDefinition>>

type WrittenOf<Definition> = Definition extends { readonly [written]?: infer W extends WrittenSettings }
  ? W
  : WrittenSettings
type Declared<Definition> = Definition extends { readonly [record]?: infer T extends object } ? T : object

/** The definition named `N` among `D`; unknown for others. */
type Named<D extends Definitions, N> = N extends keyof D ? D[N] : ModelDefinition

type IdOf<T> = 'id' extends keyof T ? T['id'] : number

/** The type of ids of the model `K`: declared by it or its base, else a number; unknown if it may be any. */
type IdIn<D extends Definitions, K> = WrittenOf<Named<D, K>>['id'] extends undefined
  ? WrittenOf<Named<D, K>>['base'] extends infer B
    ? B extends keyof D
      ? IdIn<D, B>
      : IdOf<PackageBase<B>['record']>
    : never
  : WrittenOf<Named<D, K>>['id']

/** A key that refers to the model `T`. */
type Key<D extends Definitions, T> =
  IdIn<D, T> extends infer I ? (unknown extends I ? IdOf<Declared<Named<D, T>>> : I) | null : never

/** Keys required by relations of the model itself, such as those of `belongsTo`. */
type OwnKeys<D extends Definitions, R> = {
  [
    K in Name<R> as R[K] extends { type: KindsWith<{ keyOn: 'declaring' }> } ? KeyName<R[K], `${K}Id`> : never
  ]?: R[K] extends {
    readonly model: infer M
  }
    ? Key<D, M>
    : unknown
}

type KeyName<R, Otherwise extends string> = R extends { readonly foreignKey: infer K extends string } ? K : Otherwise

/** Keys that relations of other models, such as `hasMany` and `hasOne`, add to the model `N`. */
type KeyFrom<D extends Definitions, Owner extends Name<D>, R, N> = {
  [K in keyof R]: R[K] extends { readonly through: string } | { readonly polymorphic: unknown }
    ? never
    : R[K] extends { readonly type: KindsWith<{ keyOn: 'related' }>; readonly model: N }
      ? { name: KeyName<R[K], `${Uncapitalize<Owner>}Id`>; value: Key<D, Owner> }
      : never
}[keyof R]

type ForeignKeys<D extends Definitions, N> = {
  [O in Name<D>]: KeyFrom<D, O, WrittenOf<D[O]>['relations'], N>
}[Name<D>]

type FromOthers<P> = {
  [E in P as E extends { name: infer K extends string } ? K : never]?: E extends { value: infer V } ? V : never
}

type Mixed<M> = { [K in Name<M> & Name<MixinProperties<M>>]: M[K] extends false ? {} : MixinProperties<M[K]>[K] }
type Merged<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never
type OfMixins<M> = [Name<M> & Name<MixinProperties<M>>] extends [never] ? {} : Merged<Mixed<M>[keyof Mixed<M>]>

interface Base {
  readonly record: object
  readonly optional: PropertyKey
  readonly methods: object
  readonly statics: object
}
interface NoBase extends Base {
  readonly record: {}
  readonly optional: never
  readonly methods: {}
  readonly statics: {}
}

/** The properties inherited from a base model of a package. */
type PackageBase<B> = B extends keyof BaseModels ? (BaseModels[B] extends Base ? BaseModels[B] : NoBase) : NoBase

/**
 * The properties that a model inherits from its base: one of a package, or another one of the application, which may extend
 * one of a package.
 */
interface Inherited<D extends Definitions, B> {
  readonly record: B extends keyof D
    ? Declared<D[B]> & OfMixins<WrittenOf<D[B]>['mixins']> & PackageBase<WrittenOf<D[B]>['base']>['record']
    : PackageBase<B>['record']
  readonly optional: B extends keyof D
    ?
        | WrittenOf<D[B]>['optional']
        | keyof OfMixins<WrittenOf<D[B]>['mixins']>
        | PackageBase<WrittenOf<D[B]>['base']>['optional']
    : PackageBase<B>['optional']
  readonly methods: B extends keyof D ? PackageBase<WrittenOf<D[B]>['base']>['methods'] : PackageBase<B>['methods']
  readonly statics: B extends keyof D ? PackageBase<WrittenOf<D[B]>['base']>['statics'] : PackageBase<B>['statics']
  readonly relations: B extends keyof D ? WrittenOf<D[B]>['relations'] : {}
}

type InheritedBy<D extends Definitions, K extends keyof D> = Inherited<D, WrittenOf<D[K]>['base']>

/** The properties of `T` in one flat object, for readable compiler messages. */
type Flat<T> = T extends unknown ? { [K in keyof T]: T[K] } & {} : never
type Without<T, K extends PropertyKey> = { [P in keyof T as P extends K ? never : P]: T[P] }
type Over<T, More> = Without<More, keyof T> & T

/** The properties of records of the model `K` of `D`: declared ones, then inherited ones, of mixins, and keys of relations. */
export type RecordIn<D extends Definitions, K extends keyof D> = Flat<
  Over<
    Over<Declared<D[K]>, InheritedBy<D, K>['record'] & OfMixins<WrittenOf<D[K]>['mixins']>>,
    FromOthers<ForeignKeys<D, K>> & OwnKeys<D, WrittenOf<D[K]>['relations']>
  >
>

type OptionalIn<D extends Definitions, K extends keyof D> =
  | WrittenOf<D[K]>['optional']
  | Extract<InheritedBy<D, K>['optional'] | keyof OfMixins<WrittenOf<D[K]>['mixins']>, PropertyKey>

type LeadsToMany<R> = R extends { readonly type: KindsWith<{ many: true }> } ? true : false

type RelationsIn<D extends Definitions, R> = {
  [K in Name<R>]: R[K] extends { readonly model: infer M extends keyof D }
    ? { readonly record: RecordIn<D, M>; readonly facts: FactsIn<M, D>; readonly many: LeadsToMany<R[K]> }
    : { readonly record: Record<string, unknown>; readonly facts: UnknownFacts; readonly many: LeadsToMany<R[K]> }
}

/** The facts that types know about the model `K` of `D`, in addition to its properties. */
export interface FactsIn<K extends keyof D, D extends Definitions> extends ModelFacts {
  readonly id: IdIn<D, K>
  readonly optional: OptionalIn<D, K>
  readonly relations: RelationsIn<D, WrittenOf<D[K]>['relations']>
  readonly methods: InheritedBy<D, K>['methods']
}

/** A definition without types has records with any properties. */
type ClassIn<D extends Definitions, K extends keyof D> = [keyof Declared<D[K]>] extends [never]
  ? ModelClass
  : ModelClass<RecordIn<D, K>, FactsIn<K, D>> & InheritedBy<D, K>['statics']

/**
 * The model classes of a record of definitions, for `interface Models extends ModelsOf<typeof models> {}`.
 * @example
 * ```ts
 * import { defineModel, ModelRegistry, type ModelsOf } from '@modelwire/core'
 * import { Type } from '@sinclair/typebox'
 *
 * const models = { Note: defineModel('Note', Type.Object({ text: Type.String() })) }
 * const registry = new ModelRegistry() as ModelRegistry & ModelsOf<typeof models>
 * registry.define(models.Note)
 * console.log(new registry.Note({ text: 'Buy milk' }).text) // Buy milk
 * ```
 */
export type ModelsOf<D extends Definitions> = { readonly [K in keyof D]: ClassIn<D, K> }
