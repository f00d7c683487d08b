import type { Client } from '../caller/client.ts'
import type { Awaitable } from '../values/awaitable.ts'
import type { ModelType } from './model-type.ts'
import type { Restriction } from './restriction.ts'
import type { Row } from './row.ts'

/**
 * Why records are read or written: as the subject of an operation of their own model, through a route of another one, beside
 * records that include them, or to filter and order others by them. It decides which error a refusal is, and whose rules count.
 */
export type Purpose = 'operation' | 'nested' | 'include' | 'filter'

/** What a client wants to do with records of a model. */
export interface AccessQuestion {
  readonly client: Client
  readonly model: ModelType
  /** As rules name it, `prototype.` left out: `find` for lists, `findById` for records by their key. */
  readonly method: string
  readonly purpose: Purpose
}

/** Records that hold one key of others: those of a relation whose key lies in the related records. */
export interface KeyedRecords {
  readonly property: string
  readonly values: readonly unknown[]
}

/**
 * Decides what clients may see and change. Every read and write for a client starts from the restriction that this gives, so that
 * it is a part of the statement. `acl` installs it.
 */
export interface AccessControl {
  /**
   * What the client may see or change of a model through a method; undefined: everything.
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
   * Refuses at once what would be refused whatever the records are, so that nothing is read before.
   * @param keyed as for `restrict`; its values are not known yet
   * @throws the error that access control refuses the client with
   */
  readonly refuse: (question: AccessQuestion, keyed?: Pick<KeyedRecords, 'property'>) => Awaitable<void>
  /**
   * Names of the properties that the answer to a write shows of a record; undefined: all that are not hidden.
   * @param row the record as it is stored now
   * @param sent names of the properties that the client sent
   */
  readonly shownAfter: (
    question: Omit<AccessQuestion, 'method' | 'purpose'>,
    row: Row,
    sent: readonly string[]
  ) => Awaitable<ReadonlySet<string> | undefined>
}

/** What the guard of an operation found the client may see or change of the model that the operation is about. */
export interface Grant {
  /** Undefined: whatever model the operation is about. */
  readonly model: ModelType | undefined
  readonly restriction: Restriction | undefined
}
