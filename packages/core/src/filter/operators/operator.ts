import type { JsonSchema } from '../../definition/json-schema.ts'
import type { ValueType } from '../../types/value-type.ts'
import type { Comparison } from '../../contract/comparison.ts'
import type { QueryBudget } from '../../limits/query-limits.ts'
import type { Rules } from '../../rules.ts'

/** One property under test: everything that operators need to know of it. */
export interface TestedPath {
  readonly path: readonly string[]
  readonly type: ValueType | undefined
  /** A declared top-level property. */
  readonly declared: boolean
  readonly key: string
  readonly rules: Rules
  /** Dates in lists are equal to nothing. */
  readonly ignoresDatesInLists: boolean
  /** `options` of `like` count. */
  readonly readsLikeOptions: boolean
  /** Every text is like the empty one. */
  readonly findsEmptyText: boolean
  /** Names of operators that the database has, and that no filter has. */
  readonly foreignOperators: ReadonlySet<string> | undefined
}

/** What an operator stands in. */
export interface OperatorContext {
  readonly budget: QueryBudget
  /** The whole object of operators. */
  readonly written: Readonly<Record<string, unknown>>
}

/** Matches no record. */
export const nothing = { kind: 'never' } as const
/** Matches every record. */
export const everything = { kind: 'and', conditions: [] } as const

/** An operator of a `where`: all that is known of it. */
export interface Operator {
  /**
   * Reads the operand as it is written on the wire.
   * @throws {InvalidFilter} it has the wrong form
   */
  readonly compile: (
    tested: TestedPath,
    operand: unknown,
    context: OperatorContext
  ) => Comparison | typeof nothing | typeof everything
  /** The schema of the operand in OpenAPI documents, where the property's values have the schema `value`. */
  readonly schema: (value: JsonSchema) => JsonSchema
  /** The properties for which documents name it. Absent: all. */
  readonly documentedFor?: 'text' | 'point'
  /** Names that may stand beside it, with their schemas. */
  readonly beside?: Readonly<Record<string, JsonSchema>>
  /** The operand holds values of the property: change events show them in its type. */
  readonly comparesValues: boolean
  /**
   * Where `countsFirstOperator` holds. LB3: only the first operator of a property counts, which is the default, pinned by filter/comparison; `range`:
   * those of a range hold together; `always`: LoopBack does not have it, and it holds whatever stands beside it.
   */
  readonly whenFirstCounts?: 'range' | 'always'
}
