import type { JsonSchema } from '../definition/json-schema.ts'
import type { ValueType } from '../types/property-type.ts'
import type { Condition } from '../contract/condition.ts'
import type { QueryBudget } from '../limits/limits.ts'
import type { Rules } from '../rules.ts'

/** The property being tested, with everything that operators need to know about it. */
export interface TestedPath {
  readonly path: readonly string[]
  readonly type: ValueType | undefined
  /** A declared top-level property. */
  readonly declared: boolean
  readonly key: string
  readonly rules: Rules
  /** Dates in lists equal nothing. */
  readonly ignoresDatesInLists: boolean
  /** `options` of `like` are read. */
  readonly readsLikeOptions: boolean
  /** Every string matches an empty `like`. */
  readonly findsEmptyText: boolean
  /** Names of operators that the database supports, but filters do not. */
  readonly foreignOperators: ReadonlySet<string> | undefined
}

/** The context of an operator. */
export interface OperatorContext {
  readonly budget: QueryBudget
  /** The whole object of operators. */
  readonly written: Readonly<Record<string, unknown>>
}

/** Matches no record. */
export const nothing = { kind: 'never' } as const
/** Matches every record. */
export const everything = { kind: 'and', conditions: [] } as const

/** An operator of a `where`: how it is compiled and validated. */
export interface Operator {
  /**
   * Compiles the operand as written on the wire.
   * @throws {InvalidFilter} it has the wrong form
   */
  readonly compile: (tested: TestedPath, operand: unknown, context: OperatorContext) => Condition
  /** The schema of the operand in OpenAPI documents, given the schema `value` of the property's values. */
  readonly schema: (value: JsonSchema) => JsonSchema
  /** The kind of properties for which documents list it. Absent: all. */
  readonly documentedFor?: 'text' | 'point'
  /** Keys that may accompany it, with their schemas. */
  readonly beside?: Readonly<Record<string, JsonSchema>>
  /** The operand contains values of the property: change events show them in its type. */
  readonly comparesValues: boolean
  /**
   * Applies if `countsFirstOperator` holds. LB3: only the first operator of a property counts, which is the default, pinned
   * by filter/comparison; `range`: those of a range are combined; `always`: LoopBack does not have the operator, and it
   * always applies.
   */
  readonly whenFirstCounts?: 'range' | 'always'
}
