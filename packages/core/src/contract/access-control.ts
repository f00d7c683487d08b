import type { Client } from '../caller/caller.ts'
import type { Awaitable } from '@modelwire/server'
import type { ModelType } from './model-type.ts'
import type { Row } from './row.ts'
import type { Condition } from './condition.ts'

/**
 * Why records are read or written: as the subject of an operation of their own model, through a route of another one,
 * included with other records, or to filter and order others by them. Decides which error a denial causes, and whose rules
 * apply.
 */
export type Purpose = 'operation' | 'nested' | 'include' | 'filter'

/** A client's access to records of a model. */
export interface AccessQuestion {
  readonly client: Client
  readonly model: ModelType
  /** As named in rules, without `prototype.`: `find` for lists, `findById` for records by their key. */
  readonly method: string
  readonly purpose: Purpose
}

/** Records with one key of others: those of a relation whose key is in the related records. */
export interface KeyedRecords {
  readonly property: string
  readonly values: readonly unknown[]
}

/**
 * Decides what clients may see and change. Every read and write for a client starts from the restriction that this returns,
 * so that it is part of the statement. Installed by `acl`.
 */
export interface AccessControl {
  /**
   * What the client may see or change of the model through a method; undefined: everything.
   * @param keyed only records that hold these keys are wanted: they may be the client's own regardless of the rules
   * @throws the error that access control refuses the client with
   */
  readonly restrict: (question: AccessQuestion, keyed?: KeyedRecords) => Awaitable<Restriction | undefined>
  /**
   * Like `restrict`, for records with known ids, each of which is checked.
   * @param readIds reads the ids, where the answer depends on them: for each record that is wanted, those of the records
   * that it may be. Keys that are not unique lead to several, of which the client gets one that it may read; to none,
   * where the record is missing. One that is refused refuses all.
   * @throws the error that access control refuses the client with
   */
  readonly restrictEach: (
    question: AccessQuestion,
    readIds: () => Awaitable<readonly (readonly unknown[])[]>,
    keyed?: KeyedRecords
  ) => Awaitable<Restriction | undefined>
  /**
   * Denies at once what would be denied whatever the records are, so that nothing is read first.
   * @param keyed as for `restrict`; its values are not known yet
   * @throws the error that access control refuses the client with
   */
  readonly refuse: (question: AccessQuestion, keyed?: Pick<KeyedRecords, 'property'>) => Awaitable<void>
  /**
   * Names of the properties that the response to a write shows; undefined: all that are not hidden.
   * @param readRow gives the record as it is stored now, where the answer depends on it; undefined: it is gone
   * @param sent names of the properties that the client sent
   */
  readonly shownAfter: (
    question: Omit<AccessQuestion, 'method' | 'purpose'>,
    readRow: () => Awaitable<Row | undefined>,
    sent: readonly string[]
  ) => Awaitable<ReadonlySet<string> | undefined>
  /**
   * Names of the properties that clients of some kind may set through one of the methods; undefined: all. Only the rules in
   * files and scripts are considered: stored ones may allow more.
   */
  readonly settable: (model: ModelType, methods: readonly string[]) => ReadonlySet<string> | undefined
}

/** What an operation's guard allows the client to see or change of the operation's model. */
export interface Grant {
  /** Undefined: any model of the operation. */
  readonly model: ModelType | undefined
  readonly restriction: Restriction | undefined
}

/** Tests which rows are within a restriction. */
export interface RowTest {
  readonly matches: (row: Row) => boolean
  /** Names of the properties that it reads. */
  readonly properties: ReadonlySet<string>
  /** Equal for equivalent tests. */
  readonly key: string
  /** Whether tests with equal keys are equivalent: the key holds all of the test. */
  readonly hasExactKey: boolean
}

/**
 * What a client may see and change of the records of a model: a part of every query and of every statement that writes.
 * The client's own filter applies within it.
 */
export interface Restriction {
  /** The records; undefined: all. */
  readonly condition: Condition | undefined
  /** Names of the properties that are shown, and that filters may use; undefined: all. */
  readonly readable: ReadonlySet<string> | undefined
  /** Names of the properties that may be set; undefined: all. */
  readonly writable: ReadonlySet<string> | undefined
  /** Whether the client may store the given record; undefined: always. */
  readonly admits?: ((row: Row) => Awaitable<boolean>) | undefined
  /** Whether the client may write this to each of the records; undefined: always. */
  readonly admitsPatch?: ((patch: Row) => Awaitable<boolean>) | undefined
  /** The condition as written, with keys in place of conditions on related records; undefined: all records. */
  readonly asWhere: () => Awaitable<Readonly<Record<string, unknown>> | undefined>
  /** Whether `row` satisfies it. Reads related records for this row only. */
  readonly matches: (row: Row) => Awaitable<boolean>
  /**
   * The current condition as a test for any rows: its conditions on related records may change. Undefined if all records
   * satisfy it.
   */
  readonly testRows: () => Awaitable<RowTest | undefined>
  /** The error for records outside of it. */
  readonly deny: () => Error
  /** The error for properties outside of it. */
  readonly denyProperty: (message: string) => Error
}
