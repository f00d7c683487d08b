import type { ChangeStream } from '../changes/change-stream.ts'
import type { Static, TObject } from '@sinclair/typebox'
import type { HookContext, HookName, Observer } from '../hooks/hook-table.ts'
import type { AggregateInput, AggregateRow, WrittenAggregate } from './aggregate-types.ts'
import type { FieldsInput, FilterInput, IncludeInput, Where, WrittenFilter } from './filter-types.ts'
import type { Found, Instance, InstanceMethods } from './instance-types.ts'
import type { IdArgument, ModelFacts, NewRecord, UnknownFacts, WithId } from '../definition/model-facts.ts'
import type { ModelType } from '../contract/model-type.ts'

/** A record, or changes of one, before validation: anything may be missing. */
export type Draft<T> = { [K in keyof WithId<T>]?: WithId<T>[K] | undefined }

/** The argument of an observer of a hook: `HookContext` with the types of the model's records. */
export interface ModelHookContext<
  T extends object,
  N extends HookName = HookName,
  F extends ModelFacts = UnknownFacts
> {
  readonly Model: ModelClass<T, F>
  readonly hookState: Record<string, unknown>
  readonly options: Record<string, unknown>
  query?: FilterInput<WithId<T>, F>
  where?: Where<WithId<T>, F>
  data?: Draft<T>
  instance?: N extends 'before save' ? Draft<T> & InstanceMethods<T, F> : Instance<T, F>
  currentInstance?: Instance<T, F>
  isNewInstance?: boolean
  info?: { count: number }
}

/** Runs at a hook of a model of `T`. */
export type ModelObserver<T extends object, N extends HookName = HookName, F extends ModelFacts = UnknownFacts> = (
  context: ModelHookContext<T, N, F>
) => unknown

/** `S` is `H` but for one character that is added, left out, changed or swapped. */
type IsSlipOf<S extends string, H extends string> = S extends `${infer A}${infer R}`
  ? H extends `${infer B}${infer Q}`
    ? A extends B
      ? IsSlipOf<R, Q>
      : R extends H | Q
        ? true
        : S extends Q
          ? true
          : R extends `${B}${infer More}`
            ? Q extends `${A}${More}`
              ? true
              : false
            : false
    : R extends ''
      ? true
      : false
  : H extends `${infer _}${infer Q}`
    ? Q extends ''
      ? true
      : false
    : false

/** The hook that the name of an event seems to mean. */
type MeantHook<N extends string> = {
  [H in HookName]: IsSlipOf<Lowercase<N>, H> extends true ? H : Lowercase<N> extends H ? H : never
}[HookName]
type EventName<N extends string> = string extends N
  ? N
  : [N] extends [HookName]
    ? N
    : [MeantHook<N>] extends [never]
      ? N
      : MeantHook<N>
/** The class of a model: reads and writes records, and makes instances. */
export interface ModelClass<T extends object = Record<string, unknown>, F extends ModelFacts = UnknownFacts> {
  new (data?: Partial<T>, source?: unknown): Instance<T, F>
  readonly modelName: string
  readonly modelType: ModelType
  find<const I extends IncludeInput<F> = never, const P extends FieldsInput<WithId<T>> = never>(
    filter?: WrittenFilter<WithId<T>, F, I, P>,
    options?: object
  ): Promise<Found<T, F, I, P>[]>
  findOne<const I extends IncludeInput<F> = never, const P extends FieldsInput<WithId<T>> = never>(
    filter?: WrittenFilter<WithId<T>, F, I, P>,
    options?: object
  ): Promise<Found<T, F, I, P> | null>
  findById<const V, const I extends IncludeInput<F> = never, const P extends FieldsInput<WithId<T>> = never>(
    id: IdArgument<F['id'], V>,
    filter?: WrittenFilter<WithId<T>, F, I, P, 'fields' | 'include'>,
    options?: object
  ): Promise<Found<T, F, I, P> | null>
  count(where?: Where<WithId<T>, F>, options?: object): Promise<number>
  /** Sums, averages, counts, least and greatest values of the records that match, by groups of them. */
  aggregate<const Q extends AggregateInput<WithId<T>, F>>(
    request: WrittenAggregate<WithId<T>, F, Q>,
    options?: object
  ): Promise<AggregateRow<WithId<T>, Q>[]>
  exists<const V>(id: IdArgument<F['id'], V>, options?: object): Promise<boolean>
  create(data: readonly NewRecord<T, F>[], options?: object): Promise<Instance<T, F>[]>
  create(data?: NewRecord<T, F>, options?: object): Promise<Instance<T, F>>
  /** The first match, or a new record; true when it was created. */
  findOrCreate(
    filter: FilterInput<WithId<T>, F>,
    data: NewRecord<T, F>,
    options?: object
  ): Promise<[Instance<T, F>, boolean]>
  /** Updates the record with the data's id in part, or creates one. */
  patchOrCreate(data: Partial<WithId<T>>, options?: object): Promise<Instance<T, F>>
  upsert(data: Partial<WithId<T>>, options?: object): Promise<Instance<T, F>>
  updateOrCreate(data: Partial<WithId<T>>, options?: object): Promise<Instance<T, F>>
  replaceOrCreate(data: NewRecord<T, F>, options?: object): Promise<Instance<T, F>>
  replaceById<const V>(id: IdArgument<F['id'], V>, data: NewRecord<T, F>, options?: object): Promise<Instance<T, F>>
  upsertWithWhere(where: Where<WithId<T>, F>, data: Partial<T>, options?: object): Promise<Instance<T, F>>
  /** With the data alone all records change. */
  updateAll(data: Partial<T>): Promise<{ count: number }>
  updateAll(where: Where<WithId<T>, F>, data: Partial<T>, options?: object): Promise<{ count: number }>
  update(where: Where<WithId<T>, F>, data: Partial<T>, options?: object): Promise<{ count: number }>
  destroyAll(where?: Where<WithId<T>, F>, options?: object): Promise<{ count: number }>
  destroyById<const V>(id: IdArgument<F['id'], V>, options?: object): Promise<{ count: number }>
  deleteById<const V>(id: IdArgument<F['id'], V>, options?: object): Promise<{ count: number }>
  /** Follows changes, also of models that extend this one: `ChangeEvent`s. Destroy the stream when you are done. */
  createChangeStream(options?: {
    where?: Where<WithId<T>, F>
    fields?: FilterInput<WithId<T>, F>['fields']
    models?: readonly string[]
  }): Promise<ChangeStream>
  observe<N extends HookName>(name: N, observer: ModelObserver<T, N, F>): void
  /** Names other than those of the hooks are events of the application. */
  observe<const N extends string>(name: EventName<N>, observer: Observer): void
  removeObserver<N extends HookName>(name: N, observer: ModelObserver<T, N, F>): boolean
  removeObserver<const N extends string>(name: EventName<N>, observer: Observer): boolean
  clearObservers(name: string): void
  notifyObserversOf(name: string | readonly string[], context: HookContext): Promise<HookContext>
}

/** The class of the model that a TypeBox object describes. */
export type ModelOf<S extends TObject> = ModelClass<Static<S>>
