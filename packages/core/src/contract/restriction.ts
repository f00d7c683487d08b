import type { Awaitable } from '../values/awaitable.ts'
import type { Condition } from './condition.ts'
import type { Row } from './row.ts'

/** Tests which rows are within a restriction. */
export interface RowTest {
  readonly matches: (row: Row) => boolean
  /** Names of the properties that it reads. */
  readonly properties: ReadonlySet<string>
  /** Equal for equivalent tests. */
  readonly key: string
}

/**
 * What a client may see and change of the records of a model: a part of every query and of every statement that writes.
 * The client's own filter applies within it.
 */
export interface Restriction {
  /** The records; undefined: all. */
  readonly condition: Condition | undefined
  /** Names of the properties that are shown, and that filters may name; undefined: all. */
  readonly readable: ReadonlySet<string> | undefined
  /** Names of the properties that may be set; undefined: all. */
  readonly writable: ReadonlySet<string> | undefined
  /** Whether a record that is stored as given would be among those that the client may leave behind; undefined: all are. */
  readonly admits?: ((row: Row) => Awaitable<boolean>) | undefined
  /** Whether all records stay among those when this is written to each of them; undefined: they do. */
  readonly admitsPatch?: ((patch: Row) => Awaitable<boolean>) | undefined
  /** The condition as written, with keys in place of conditions on related records; undefined: all records. */
  readonly asWhere: () => Awaitable<Readonly<Record<string, unknown>> | undefined>
  /** Whether `row` is among the records. Reads related records for this row only. */
  readonly matches: (row: Row) => Awaitable<boolean>
  /**
   * The condition as a test of any rows, as it is at this moment: its conditions on related records may change.
   * Undefined where all records are admitted.
   */
  readonly testRows: () => Awaitable<RowTest | undefined>
  /** The error for records that lie outside of it. */
  readonly deny: () => Error
  /** The error for properties that lie outside of it. */
  readonly denyProperty: (message: string) => Error
}
