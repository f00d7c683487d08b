import type { Model } from '@modelwire/core'
import type { Row } from '@modelwire/core/connector'
import type { Records, RelationKindEntry } from '@modelwire/core/plugin'
import type { RelatedCondition } from './filter/related-keys.ts'
import type { IncludeTask } from './include/include-task.ts'
import type { Related } from './related.ts'

type Where = unknown

/** Everything that can be done with the one related record. What a kind cannot do is absent. */
export interface ToOneMethods {
  /** Null where the record is gone, undefined where there never was one. */
  readonly get: (related: Related) => Promise<Model | null | undefined>
  /** All records that there are: keys that are not unique lead to several. */
  readonly all: (related: Related) => Promise<readonly Model[]>
  readonly build?: (related: Related, data: unknown) => Model
  readonly create?: (related: Related, data: unknown) => Promise<Model>
  readonly update?: (related: Related, data: unknown) => Promise<Model>
  readonly destroy?: (related: Related) => Promise<unknown>
}

/** Everything that can be done with the related records. What a kind cannot do is absent. */
export interface ToManyMethods {
  readonly find: (related: Related, filter: unknown) => Promise<Records>
  readonly count: (related: Related, where: Where) => Promise<number>
  readonly build: (related: Related, data: unknown) => Model
  /** Takes a list where the kind can make several. */
  readonly create: (related: Related, data: unknown) => Promise<Model | Model[]>
  readonly findById: (related: Related, id: unknown) => Promise<Model>
  readonly updateById: (related: Related, id: unknown, data: unknown) => Promise<Model>
  readonly destroyById: (related: Related, id: unknown) => Promise<unknown>
  readonly destroyAll: (related: Related, where: Where) => Promise<{ count: number }>
  readonly updateAll?: (related: Related, where: Where, data: Row) => Promise<{ count: number }>
  readonly exists: (related: Related, id: unknown) => Promise<boolean>
  /** The record at a place of a list that the parent holds; null where the list is shorter. */
  readonly at?: (related: Related, index: number) => Promise<Model | null>
  /** Joins a record, given by its id or itself, to the parent. */
  readonly add?: (related: Related, target: unknown, data?: unknown) => Promise<Model | null>
  readonly remove?: (related: Related, target: unknown) => Promise<unknown>
}

/** LoopBack's name of a method that a relation exposes: `get` stands for `__get__NAME`. */
export type ExposedMethod =
  | 'get'
  | 'create'
  | 'update'
  | 'destroy'
  | 'delete'
  | 'count'
  | 'findById'
  | 'updateById'
  | 'destroyById'
  | 'link'
  | 'unlink'
  | 'exists'

interface KindParts {
  /** What core has to know of the kind; absent for those of LoopBack, which core knows itself. */
  readonly declares?: Omit<RelationKindEntry, 'many'>
  /**
   * The related records are those that the keys lead to, and no others: a database may follow the keys. Otherwise `include` and `filter`
   * decide alone.
   */
  readonly followsKeys?: true
  /** The value under the relation's name for each row; undefined leaves it out. */
  readonly include: (task: IncludeTask) => Promise<readonly unknown[]>
  /** A condition on the declaring records that is equivalent to one on the related ones. */
  readonly filter: (condition: RelatedCondition) => Promise<Row>
  /** Methods with a route, in LoopBack's order. */
  readonly exposes: readonly ExposedMethod[]
}

/** What can be done with relations of one kind. What they are is defined by core. */
export type RelationKind =
  | (KindParts & { readonly many: false; readonly methods: ToOneMethods })
  | (KindParts & { readonly many: true; readonly methods: ToManyMethods })
