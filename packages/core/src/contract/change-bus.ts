import type { Row } from './row.ts'

/** What happened to records. */
export type ChangeKind = 'create' | 'update' | 'remove'

/** One committed change. `id` is undefined where many records changed at once; `where` then selects them. */
export interface Change {
  readonly model: string
  readonly kind: ChangeKind
  readonly id: unknown
  /** The record afterwards; of an update of many what it changed. */
  readonly after?: Row | undefined
  readonly where?: unknown
  /** The instance whose `delete` was called. */
  readonly instance?: Row | undefined
  /** What a deletion removed. */
  readonly removed?: readonly Row[] | undefined
  /** Where the change stands in the log of its data source; undefined for one that is not in a log. */
  readonly position?: string
}

/** Called for changes. What it throws goes to the registry's `onError`. */
export type ChangeListener = (change: Change) => void

/** Carries changes from writers to listeners. The default one works inside the process. */
export interface ChangeBus {
  /** There are listeners for changes of `model` itself, or of a model that it extends. */
  hasListeners(model: string): boolean
  /** Carries a committed change to the listeners; one of a model with a change log reaches them by way of that. */
  publish(change: Change): void
  /** Calls `listener` for every change of `model` and of models that extend it, until the returned function is called. */
  subscribe(model: string, listener: ChangeListener): () => void
}
