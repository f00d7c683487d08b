import type { Row } from '@modelwire/core/connector'
import type { RelationKindEntry } from '@modelwire/core/plugin'
import type { RelatedCondition } from '../filter/related-keys.ts'
import type { IncludeTask } from '../include/read-by-keys.ts'
import type { ToManyMethods, ToOneMethods } from '../related.ts'

/** LoopBack's name of a method that a relation exposes: `get` for `__get__NAME`. */
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
  /** What core must know about the kind; absent for LoopBack's, which core knows itself. */
  readonly declares?: Omit<RelationKindEntry, 'many'>
  /**
   * The related records are exactly those that the keys refer to: a database may follow the keys. Otherwise only `include`
   * and `filter` decide.
   */
  readonly followsKeys?: true
  /** Returns the value under the relation's name for each row; undefined omits it. */
  readonly include: (task: IncludeTask) => Promise<readonly unknown[]>
  /** Returns a condition on the declaring records that is equivalent to one on the related ones. */
  readonly filter: (condition: RelatedCondition) => Promise<Row>
  /** Methods with a route, in LoopBack's order. */
  readonly exposes: readonly ExposedMethod[]
}

/** The behaviour of relations of one kind. Their facts are defined by core. */
export type RelationKind =
  | (KindParts & { readonly many: false; readonly methods: ToOneMethods })
  | (KindParts & { readonly many: true; readonly methods: ToManyMethods })
