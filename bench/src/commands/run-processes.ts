import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import { Client } from 'pg'
import { inTurns, planRuns, planWarmUp, type Plan } from '../measure-run.ts'
import type { BenchOptions } from '../options.ts'
import { type Column, formatNumber, printTable } from '../print-table.ts'
import { cpuBetween, type CpuOfProcesses, readCpuOf, residentMegabytes } from '../process-cpu.ts'
import { sendLoad } from '../send-load.ts'
import { buildModelwire } from '../servers/modelwire.ts'
import { type RunningProcesses, spawnProcesses } from '../spawn-processes.ts'
import { median, summarize } from '../statistics.ts'

/** One run: requests in a second, and how many microseconds of CPU each part used for a request. */
export interface ProcessesRun {
  readonly throughput: number
  readonly node: number
  readonly database: number
  readonly generator: number
}

/** A workload with a number of processes. */
export interface ProcessesLine {
  readonly processes: number
  readonly title: string
  readonly runs: ProcessesRun[]
  /** Resident megabytes of the processes that answer, on average. */
  readonly memory: number
}

interface Contest {
  readonly processes: number
  readonly server: RunningProcesses
  readonly plan: Plan
  readonly runs: ProcessesRun[]
}

const counts = [1, 2, 4]
/** Connections, so that each of four processes has several requests at a time, too. */
const atOnce = 32
const measured = ['W1', 'W3', 'W5']

/** The processes of the database server: those of this database's connections, and those that write for all. */
async function databasePids(client: Client): Promise<readonly number[]> {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() or datname is null'
  )
  return rows.map(({ pid }) => pid)
}

async function measureOnce(client: Client, { server, plan }: Contest, rows: number): Promise<ProcessesRun> {
  await client.query('delete from product where id > $1', [rows])
  const { workload, requests, amount } = plan
  // The first requests open connections, whose processes are measured afterwards.
  await sendLoad({ address: server.address, requests, amount: 200, status: workload.status, atOnce })
  const readDatabase = async (): Promise<CpuOfProcesses> => readCpuOf(await databasePids(client))
  const before = { node: readCpuOf(server.pids), database: await readDatabase(), own: process.cpuUsage() }
  const seconds = await sendLoad({ address: server.address, requests, amount, status: workload.status, atOnce })
  const own = process.cpuUsage(before.own)
  const micros = (used: number): number => (used * 1e6) / amount
  return {
    throughput: amount / seconds,
    node: micros(cpuBetween(before.node, readCpuOf(server.pids))),
    database: micros(cpuBetween(before.database, await readDatabase())),
    generator: (own.user + own.system) / amount
  }
}

async function fill(databaseUrl: string, rows: number): Promise<void> {
  const { server } = await buildModelwire(rows, { indexed: true, databaseUrl })
  await server.close()
}

async function runContests(client: Client, contests: readonly Contest[], options: BenchOptions): Promise<void> {
  for (const { server, plan, processes } of contests) {
    const { requests, workload, amount } = planWarmUp(plan, options)
    const { status } = workload
    // V8 compiles in each process.
    await sendLoad({ address: server.address, requests, amount: (amount / 2) * processes, status, atOnce })
  }
  for (let round = 0; round < options.pairs; round++)
    for (const contest of inTurns(contests, round)) contest.runs.push(await measureOnce(client, contest, options.rows))
}

function contestsOf(servers: ReadonlyMap<number, RunningProcesses>, options: BenchOptions): Contest[] {
  const plans = options.workloads.filter(({ name }) => measured.includes(name)).map((each) => planRuns(each, options))
  return plans.flatMap((plan) => [...servers].map(([processes, server]) => ({ processes, server, plan, runs: [] })))
}

const lineOf = ({ processes, server, plan, runs }: Contest): ProcessesLine => ({
  processes,
  title: `${plan.workload.name} ${plan.workload.title}`,
  runs,
  memory: median(server.pids.slice(0, -1).map((pid) => residentMegabytes(pid)))
})

/** Measures `modelwire serve --processes` with one, two and four processes on one PostgreSQL database, in turns. */
export async function runProcesses(
  options: BenchOptions,
  print: (text: string) => void
): Promise<readonly ProcessesLine[]> {
  const database = await createTestDatabase()
  const servers = new Map<number, RunningProcesses>()
  const client = new Client({ connectionString: database.url })
  try {
    await fill(database.url, options.rows)
    await client.connect()
    for (const count of counts) servers.set(count, await spawnProcesses(count, database.url))
    const contests = contestsOf(servers, options)
    await runContests(client, contests, options)
    const lines = contests.map((contest) => lineOf(contest))
    print(printTable(columns, lines))
    return lines
  } finally {
    for (const server of servers.values()) await server.stop()
    await client.end()
    await database.drop()
  }
}

const middle =
  (valueOf: (run: ProcessesRun) => number): Column<ProcessesLine>['cell'] =>
  ({ runs }) =>
    formatNumber(median(runs.map((run) => valueOf(run))))

function rangeOf({ runs }: ProcessesLine): string {
  const { lowest, highest } = summarize(runs.map(({ throughput }) => throughput))
  return `${formatNumber(lowest)}–${formatNumber(highest)}`
}

/** Cores that all parts together kept busy. */
const coresOf = ({ node, database, generator, throughput }: ProcessesRun): number =>
  ((node + database + generator) * throughput) / 1e6

const columns: readonly Column<ProcessesLine>[] = [
  { heading: 'workload', side: 'left', cell: ({ title }) => title },
  { heading: 'processes', cell: ({ processes }) => String(processes) },
  { heading: '/s', cell: middle(({ throughput }) => throughput) },
  { heading: 'lowest–highest', cell: rangeOf },
  { heading: 'µs node', cell: middle(({ node }) => node) },
  { heading: 'postgres', cell: middle(({ database }) => database) },
  { heading: 'generator', cell: middle(({ generator }) => generator) },
  { heading: 'busy cores', cell: middle(coresOf) },
  { heading: 'MB a process', cell: ({ memory }) => formatNumber(memory) }
]
