import type { SharedState, SharedStateLog } from './shared-state.ts'
import type { Lease } from './cells.ts'

/** Removes expired data. */
export interface Purge {
  /** Name in logs, unique among purges. */
  readonly name: string
  /** Removes currently expired data. Several processes may do so concurrently if nothing is shared. */
  readonly run: () => unknown
}

/** Milliseconds that a process which purges is taken for alive without saying so. */
const leaseTime = 30_000
/** A timer of Node's runs no longer. */
const longestTimer = 2 ** 31 - 1

/** The dependencies of a runner. */
export interface Purging {
  readonly shared: SharedState
  readonly purges: readonly Purge[]
  /** Milliseconds between two rounds. */
  readonly interval: number
  readonly log: Pick<SharedStateLog, 'warn'>
  /** Milliseconds; absent: thirty seconds. */
  readonly leaseTime?: number
}

/** Carries out what may fail: a lease that cannot be renewed ends by itself, and purges are deletions, which may come twice. */
async function tryTo(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch {
    // The purge itself reports that the shared state fails.
  }
}

/** Runs a purge and renews its lease meanwhile. */
async function runWith(lease: Lease, { run }: Purge, time: number): Promise<void> {
  const renewing = setInterval(() => void tryTo(() => lease.renew(time)), time / 3).unref()
  try {
    await run()
  } finally {
    clearInterval(renewing)
  }
}

/** Purges, unless another process does so or did so in this interval. */
async function purgeOnce({ shared, interval, log, leaseTime: time = leaseTime }: Purging, purge: Purge): Promise<void> {
  let lease: Lease | undefined
  try {
    lease = await shared.lease(`purge ${purge.name}`, time)
    if (lease === undefined) return
    await runWith(lease, purge, time)
    // Others see that it was done: they have timers of their own.
    await lease.renew(interval * 0.9)
  } catch (err) {
    log.warn({ err, purge: purge.name }, 'expired data could not be removed')
    await tryTo(() => lease?.release())
  }
}

/** Purges that run until they are stopped. */
export interface RunningPurges {
  /** Runs all of them now, except those that are another process's turn. */
  readonly round: () => Promise<void>
  /** Stops, once running purges have finished. */
  readonly stop: () => Promise<void>
}

/**
 * Removes expired data periodically, each kind in one process at a time if processes share state. Processes start at
 * different times.
 */
export function runPurges(purging: Purging): RunningPurges {
  const { interval, purges } = purging
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isStopped = false
  const all = async (): Promise<void> => {
    for (const purge of purges) if (!isStopped) await purgeOnce(purging, purge)
    running = undefined
  }
  const round = (): Promise<void> => (running ??= all())
  const schedule = (wait: number): void => {
    if (interval === 0 || isStopped) return
    timer = setTimeout(() => void goOn(), Math.min(wait, longestTimer)).unref()
  }
  const goOn = async (): Promise<void> => {
    await round()
    schedule(interval)
  }
  schedule(interval * (0.5 + Math.random() / 2))
  return {
    round,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    }
  }
}
