import { eq, type EqualityOperators, neq } from './equality.ts'
import { ilike, like, type LikeOperators, nilike, nlike } from './likes.ts'
import { inq, type ListOperators, nin } from './lists.ts'
import { near, type NearBounds, type NearOperator } from './near.ts'
import type { Operator } from './operator.ts'
import { between, gt, gte, lt, lte, type RangeOperators } from './ranges.ts'
import { regexp, type RegexpOperator } from './regexp.ts'
import { startsWith, type StartsWithOperator } from './starts-with.ts'

interface NamedOperators<V>
  extends
    EqualityOperators<V>,
    RangeOperators<V>,
    ListOperators<V>,
    LikeOperators,
    RegexpOperator,
    StartsWithOperator,
    NearOperator {}

/** Operators on one property of a `where`. Several are combined with and. */
export interface Operators<V> extends NamedOperators<V>, NearBounds {}

/** The name of an operator on the wire. */
export type OperatorName = keyof NamedOperators<unknown>

const table = {
  eq,
  gt,
  gte,
  lt,
  lte,
  between,
  inq,
  nin,
  near,
  neq,
  like,
  nlike,
  ilike,
  nilike,
  regexp,
  startsWith
} satisfies Readonly<Record<OperatorName, Operator>>

/** Every operator by its name on the wire, in LoopBack's order of precedence; those that LoopBack does not have come last. */
export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>(Object.entries(table))
