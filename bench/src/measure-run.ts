import { type DatabaseName, databases } from './databases.ts'
import { sendLoad } from './send-load.ts'
import type { RunningServer } from './spawn-server.ts'
import { makeRequests, type BenchRequest, type Workload } from './workloads.ts'

/** What one run of a workload cost. */
export interface Run {
  /** Microseconds of CPU that the server's process used for one request. */
  readonly cpuMicros: number
  /** How many of them were spent in the kernel: reading from and writing to sockets. */
  readonly systemMicros: number
  /** Requests answered in a second. */
  readonly throughput: number
}

/** A workload with the requests and the number of them that every run sends. */
export interface Plan {
  readonly workload: Workload
  readonly requests: readonly BenchRequest[]
  readonly amount: number
}

/** How much is sent. */
export interface PlanSize {
  readonly rows: number
  /** Requests of one run of a quick workload. */
  readonly requests: number
  /** Different ones among them. */
  readonly distinct: number
  readonly database?: DatabaseName | undefined
}

const fewest = 200

/** Plans the runs of a workload. */
export function planRuns(workload: Workload, size: PlanSize): Plan {
  const amount = Math.max(fewest, Math.round(size.requests * workload.share))
  const { rows, distinct, database } = size
  const idOf = database === undefined ? String : databases[database].idOf
  return { workload, amount, requests: makeRequests(workload, { rows, idOf }, distinct) }
}

const warmUpRounds = 2

/**
 * What is sent before the first run is measured: as many requests of a slow workload as of a quick one, so that V8 has
 * compiled what they use. A run that began earlier would measure the compiler, too, and more of it where there is more code.
 */
export function planWarmUp(plan: Plan, { requests }: PlanSize): Plan {
  return { ...plan, amount: warmUpRounds * requests }
}

/** One run: as many requests as planned, from data that is as it was at the beginning. @throws {LoadFailed} */
export async function measureRun(server: RunningServer, { workload, requests, amount }: Plan): Promise<Run> {
  await server.restore()
  const before = await server.readCpu()
  const seconds = await sendLoad({ address: server.address, requests, amount, status: workload.status })
  const after = await server.readCpu()
  const system = after.system - before.system
  return {
    cpuMicros: (after.user - before.user + system) / amount,
    systemMicros: system / amount,
    throughput: amount / seconds
  }
}

/** The second one may find a warmer or a busier machine: they take turns. */
export function inTurns<Entry>(entries: readonly Entry[], turn: number): readonly Entry[] {
  return turn % 2 === 0 ? entries : entries.toReversed()
}
