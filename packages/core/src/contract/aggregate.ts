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

/** What is computed of the records of a group. Null and absent values do not count. */
export type AggregateFunction = 'count' | 'sum' | 'avg' | 'min' | 'max'

/** One value of every row of a result. */
export interface ResultColumn {
  /** Its name in the rows and its type, as if it were a property. */
  readonly value: PropertyType
  /** An exact decimal number, written as a text. */
  readonly isDecimal: boolean
}

/** A property of the records, or a part of its date, that all records of a group have in common. */
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
 * A checked and converted request for sums and groups: what connectors carry out, as one statement. Without groups the
 * result is one row, also of no records.
 */
export interface AggregateQuery {
  /** The records; absent: all. */
  readonly where: Condition | undefined
  /** Null and absent values are one group. */
  readonly groups: readonly GroupColumn[]
  readonly measures: readonly MeasureColumn[]
  /** Which rows of the result stay. Its paths are names of columns, one step long. */
  readonly having: Condition | undefined
  /** Names every group in the end, so that it is complete. Null comes first, or last where the order descends; texts by their codes. */
  readonly order: readonly ResultOrder[]
  /** Absent: no limit. */
  readonly limit: number | undefined
  readonly skip: number
}
