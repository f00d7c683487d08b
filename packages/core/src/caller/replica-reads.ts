import { AsyncLocalStorage } from 'node:async_hooks'

/** Work whose reads may be answered by copies of a database that lag behind it. */
export interface ReplicaReads {
  /** False where what was written by the same client might be missed. */
  readonly mayLag: () => boolean
  /** Says that the work writes: it reads what it wrote from now on. */
  readonly noteWrite: () => void
}

// It follows asynchronous work without being passed on, and is entered only where a data source has replicas.
const works = new AsyncLocalStorage<ReplicaReads>()

/** What is known of the current work; undefined for work that must read what is stored now. */
export function replicaReads(): ReplicaReads | undefined {
  return works.getStore()
}

/** Calls `work`, whose reads may lag as `reads` says. */
export function withReplicaReads<Result>(reads: ReplicaReads, work: () => Result): Result {
  return works.run(reads, work)
}

/**
 * Runs `work`, such as a report, whose reads may be answered by replicas of its data sources until it writes. Without it
 * only requests of clients that read do so.
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
