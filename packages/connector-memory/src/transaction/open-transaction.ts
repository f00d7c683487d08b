import {
  abortedBy,
  type Collection,
  type Isolation,
  type Transaction,
  TransactionOver
} from '@modelwire/core/connector'
import type { SharedTable } from './shared-table.ts'
import { createView, type Snapshot, type View } from './view.ts'
import { createViewCollection } from './view-collection.ts'

/** A transaction on its way. */
export interface Current {
  readonly handle: Transaction
  readonly isSerializable: boolean
  readonly views: Map<SharedTable, View>
  readonly collections: Map<SharedTable, Collection>
  /** The locks that it holds, by key. */
  readonly locks: Set<string>
  /** How many transactions with locks had been committed when it began. */
  readonly began: number
  /** Work that was left behind must not take effect by itself. */
  end?: 'kept' | 'undone'
  /** The error after which the transaction cannot be committed, whatever becomes of the error. */
  failure?: unknown
}

/** A transaction that has seen nothing yet. */
export function start(isolation: Isolation | undefined, attempt: number, began: number): Current {
  const isSerializable = isolation === 'serializable'
  return { handle: { attempt }, isSerializable, views: new Map(), collections: new Map(), locks: new Set(), began }
}

/** @throws {TransactionOver} it was committed or rolled back */
export function checkOpen({ end }: Current): void {
  if (end !== undefined) throw overError()
}

/** What work is told that a transaction left behind. */
export function overError(): TransactionOver {
  return new TransactionOver('the transaction is over: it was committed or rolled back')
}

/** The records of a table as the transaction sees them. @throws {TransactionConflict} it has failed already */
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

/** Keeps a table that is about to change as it is for the transactions that still look at it. */
export function keepForOthers(open: Iterable<Current>, shared: SharedTable, take: () => Snapshot): void {
  const views = [...open].map((current) => viewOf(current, shared)).filter(({ table }) => table === shared.table)
  if (views.length === 0) return
  const snapshot = take()
  for (const view of views) Object.assign(view, snapshot)
}
