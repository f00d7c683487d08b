import { AsyncLocalStorage } from 'node:async_hooks'

/** Work whose reads may be served by replicas that lag behind. */
export interface ReplicaReads {
  /** False if writes of the same client might be missed. */
  readonly mayLag: () => boolean
  /** Records that the work writes: from now on it reads its own writes. */
  readonly noteWrite: () => void
}

// It follows asynchronous work without being passed on, and is entered only where a data source has replicas.
const works = new AsyncLocalStorage<ReplicaReads>()

/** The replica reads of the current work; undefined for work that must read the current data. */
export function replicaReads(): ReplicaReads | undefined {
  return works.getStore()
}

/** Calls `work`, whose reads may lag as `reads` allows. */
export function withReplicaReads<Result>(reads: ReplicaReads, work: () => Result): Result {
  return works.run(reads, work)
}

/**
 * Runs `work`, such as a report, whose reads may be served by replicas of its data sources until it writes. By default only
 * read requests of clients are.
 */
export function readFromReplicas<Result>(work: () => Result): Result {
  let hasWritten = false
  const reads: ReplicaReads = {
    mayLag: () => !hasWritten,
    noteWrite: () => {
      hasWritten = true
    }
  }
  return works.run(reads, work)
}
