import type { PropertyType } from '../types/property-type.ts'
import type { Condition } from './condition.ts'

/** A part of a date that records are grouped by, in UTC. */
export type DatePart =
  | 'date'
  | 'yearMonth'
  | 'year'
  | 'quarter'
  | 'month'
  | 'weekday'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'

/** The aggregate computed for the records of a group. Null and absent values do not count. */
export type AggregateFunction = 'count' | 'sum' | 'avg' | 'min' | 'max'

/** One column of a result. */
export interface ResultColumn {
  /** Its name in the rows and its type, as a property. */
  readonly value: PropertyType
  /** An exact decimal number, as a string. */
  readonly isDecimal: boolean
}

/** A property of the records, or a part of its date, with the same value for all records of a group. */
export interface GroupColumn extends ResultColumn {
  readonly property: PropertyType
  readonly part: DatePart | undefined
}

/** A value computed of a group. */
export interface MeasureColumn extends ResultColumn {
  readonly fn: AggregateFunction
  /** Absent: the records themselves are counted. */
  readonly property: PropertyType | undefined
}

/** One step of the order of a result. */
export interface ResultOrder {
  readonly column: GroupColumn | MeasureColumn
  readonly descending: boolean
}

/**
 * A checked and converted aggregate request, which connectors execute as one statement. Without groups the result is one
 * row, even without records.
 */
export interface AggregateQuery {
  /** The records; absent: all. */
  readonly where: Condition | undefined
  /** Null and absent values are one group. */
  readonly groups: readonly GroupColumn[]
  readonly measures: readonly MeasureColumn[]
  /** Which rows of the result to keep. Its paths are names of columns, with a single step. */
  readonly having: Condition | undefined
  /**
   * Ends with every group, so that it is complete. Null comes first, or last if the order is descending; strings by code
   * point.
   */
  readonly order: readonly ResultOrder[]
  /** Absent: no limit. */
  readonly limit: number | undefined
  readonly skip: number
}
