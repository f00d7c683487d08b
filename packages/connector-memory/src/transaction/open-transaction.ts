import {
  abortedBy,
  type Collection,
  type Transaction,
  TransactionOver,
  type readIsolation
} from '@modelwire/core/connector'
import { type SharedTable, createViewCollection } from './view-collection.ts'
import { createView, type Snapshot, type View } from './view.ts'

/** An open transaction. */
export interface Current {
  readonly handle: Transaction
  readonly isSerializable: boolean
  readonly views: Map<SharedTable, View>
  readonly collections: Map<SharedTable, Collection>
  /** The locks that it holds, by key. */
  readonly locks: Set<string>
  /** The number of committed transactions with locks when it began. */
  readonly began: number
  /** Set when it ends: leftover work must not take effect outside of it. */
  end?: 'kept' | 'undone'
  /** The error after which the transaction cannot be committed, even if the error is caught. */
  failure?: unknown
}

/** Starts a transaction that has not read anything yet. */
export function start(
  isolation: ReturnType<typeof readIsolation> | undefined,
  attempt: number,
  began: number
): Current {
  const isSerializable = isolation === 'serializable'
  return { handle: { attempt }, isSerializable, views: new Map(), collections: new Map(), locks: new Set(), began }
}

/** @throws {TransactionOver} it was committed or rolled back */
export function checkOpen({ end }: Current): void {
  if (end !== undefined) throw transactionLeakError()
}

/** The error for leftover work of a transaction that has ended. */
export function transactionLeakError(): TransactionOver {
  return new TransactionOver('the transaction is over: it was committed or rolled back')
}

/**
 * The collection of a table as the transaction sees it.
 * @throws {TransactionConflict} it has failed already
 */
export function collectionWithin(current: Current, shared: SharedTable): Collection {
  if (current.failure !== undefined) throw abortedBy(current.failure)
  const made = current.collections.get(shared)
  if (made !== undefined) return made
  const collection = createViewCollection(viewOf(current, shared), (error) => {
    current.failure = error
  })
  current.collections.set(shared, collection)
  return collection
}

/** The transaction's view of a table, made when it is first needed. */
export function viewOf({ views }: Current, shared: SharedTable): View {
  const made = views.get(shared)
  if (made !== undefined) return made
  const view = createView(shared)
  views.set(shared, view)
  return view
}

/** Preserves the current state of a table that is about to change, for the transactions that still read it. */
export function keepForOthers(open: Iterable<Current>, shared: SharedTable, take: () => Snapshot): void {
  const views = [...open].map((current) => viewOf(current, shared)).filter(({ table }) => table === shared.table)
  if (views.length === 0) return
  const snapshot = take()
  for (const view of views) Object.assign(view, snapshot)
}
