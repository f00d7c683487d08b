import { setTimeout as pause } from 'node:timers/promises'
import { type DatabaseName, databases, type OpenDatabase } from './databases.ts'
import { leaveRequests } from './leave-requests.ts'
import { cpuBetween, type CpuOfProcesses, readCpuOf } from './process-cpu.ts'
import { type Answers, keepBusy, type Load } from './send-load.ts'
import { percentile } from './statistics.ts'
import { makeRequests, type BenchRequest, type Workload } from './workloads.ts'

/** What one run of a workload cost. */
export interface Run {
  /** Microseconds of CPU that the server used for one request. */
  readonly server: number
  /** Those of the database, whatever it did meanwhile; 0 where there is none, null where it cannot be seen. */
  readonly database: number | null
  /** Those of the process that sent the requests, on the same machine. */
  readonly generator: number
  /** Requests answered in a second. */
  readonly throughput: number
  /** Milliseconds that 99 of 100 answers did not exceed. */
  readonly p99: number
}

/** A server that is measured. */
export interface Measured {
  readonly address: string
  /** Its processes. */
  readonly pids: readonly number[]
  /** Where its records are; absent where that is its own memory. */
  readonly database?: OpenDatabase | undefined
  /** Brings the data back to what it was. */
  readonly restore: () => Promise<void>
}

/** A workload with its requests. */
export interface Plan {
  readonly workload: Workload
  readonly requests: readonly BenchRequest[]
}

/** What is sent. */
export interface PlanSize {
  readonly rows: number
  /** Different requests of a workload. */
  readonly distinct: number
  readonly database?: DatabaseName | undefined
}

/** How a server is kept busy. */
export interface RunSize {
  readonly connections: number
  /** For how long it is looked at. */
  readonly seconds: number
}

/** Plans the runs of a workload. */
export function planRuns(workload: Workload, { rows, distinct, database }: PlanSize): Plan {
  const idOf = database === undefined ? String : databases[database].idOf
  return { workload, requests: makeRequests(workload, { rows, idOf }, distinct) }
}

/** The load of a plan. */
export const loadOf = ({ address }: Measured, { workload, requests }: Plan, connections: number): Load => ({
  address,
  requests,
  status: workload.status,
  connections
})

/** Until then connections are opened, and those who measure have not looked yet. */
const leadIn = 300

/** V8 compiles in it: whoever has more code has more to compile. */
const warmUpSeconds = 2

/** Lets a server meet a workload before it is measured. @throws {LoadFailed} */
export const warmUp = (server: Measured, plan: Plan, size: RunSize): Promise<Run> =>
  measureRun(server, plan, { ...size, seconds: Math.max(warmUpSeconds, size.seconds) })

/**
 * One run, from data that is as it was at the beginning. It is looked at from inside: neither the opening of connections nor their
 * end count.
 * @throws {LoadFailed}
 */
export async function measureRun(server: Measured, plan: Plan, { connections, seconds }: RunSize): Promise<Run> {
  await server.restore()
  const { leaves } = plan.workload
  const end = leaves === undefined ? () => {} : leaveRequests(server.address, leaves)
  try {
    return await keepBusy(loadOf(server, plan, connections), async (answers) => {
      await pause(leadIn)
      const before = look(server, answers)
      await pause(seconds * 1000)
      return runBetween(before, look(server, answers), answers)
    })
  } finally {
    end()
  }
}

/** What was there at one moment. */
interface Look {
  readonly at: number
  readonly answered: number
  readonly server: CpuOfProcesses
  readonly database: CpuOfProcesses | undefined
  /** Seconds. */
  readonly generator: number
}

function look({ pids, database }: Measured, { times }: Answers): Look {
  const server = readCpuOf(pids)
  const { user, system } = process.cpuUsage()
  return {
    at: performance.now(),
    answered: times.length,
    server,
    database: database && readCpuOf(database.pids()),
    generator: (user + system) / 1e6
  }
}

function runBetween(before: Look, after: Look, { times }: Answers): Run {
  const answered = after.answered - before.answered
  const micros = (seconds: number): number => (seconds * 1e6) / answered
  return {
    server: micros(cpuBetween(before.server, after.server)),
    database: databaseCost(before.database, after.database, micros),
    generator: micros(after.generator - before.generator),
    throughput: (answered * 1000) / (after.at - before.at),
    p99: percentile(times.slice(before.answered, after.answered), 0.99)
  }
}

function databaseCost(
  before: Look['database'],
  after: Look['database'],
  micros: (seconds: number) => number
): number | null {
  if (before === undefined || after === undefined) return 0
  return after.size === 0 ? null : micros(cpuBetween(before, after))
}

/** The second one may find a warmer or a busier machine: they take turns. */
export function inTurns<Entry>(entries: readonly Entry[], turn: number): readonly Entry[] {
  return turn % 2 === 0 ? entries : entries.toReversed()
}
