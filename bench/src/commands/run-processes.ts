import { Client } from 'pg'
import { databases, type OpenDatabase } from '../databases.ts'
import { inTurns, type Measured, measureRun, planRuns, type Plan, type Run, warmUp } from '../measure-run.ts'
import type { BenchOptions } from '../options.ts'
import { type Column, formatNumber, formatSpread, printTable } from '../print-table.ts'
import { residentMegabytes } from '../process-cpu.ts'
import { buildModelwire } from '../servers/modelwire.ts'
import { type RunningProcesses, type SharedKind, spawnProcesses } from '../spawn-processes.ts'
import { median, spreadOf } from '../statistics.ts'

/** A workload with a number of processes. */
export interface ProcessesLine {
  readonly processes: number
  readonly title: string
  readonly runs: Run[]
  /** Those of as many hand-written servers. */
  readonly handwritten: readonly Run[]
  /** Resident megabytes of the processes that answer, on average. */
  readonly memory: number
}

interface Contest {
  readonly kind: SharedKind
  readonly processes: number
  readonly server: RunningProcesses & Measured
  readonly plan: Plan
  readonly runs: Run[]
}

const kinds: readonly SharedKind[] = ['modelwire', 'handwritten']
const serversToStart = kinds.flatMap((kind) => [1, 2, 4].map((processes) => ({ kind, processes })))
/** Connections, so that each of four processes has several requests at a time, too. */
const atOnce = 32
const measured = ['W1', 'W3', 'W5']

async function fill(databaseUrl: string, rows: number): Promise<void> {
  const on = { database: 'postgresql', databaseUrl, tables: 'own' } as const
  const { server } = await buildModelwire(rows, { indexed: true, on })
  await server.close()
}

async function runContests(contests: readonly Contest[], options: BenchOptions): Promise<void> {
  const size = { connections: atOnce, seconds: options.seconds }
  // V8 compiles in each process.
  for (const { server, plan, processes } of contests) await warmUp(server, plan, { ...size, seconds: 2 * processes })
  for (let round = 0; round < options.pairs; round++)
    for (const contest of inTurns(contests, round))
      contest.runs.push(await measureRun(contest.server, contest.plan, size))
}

function contestsOf(servers: readonly Omit<Contest, 'plan' | 'runs'>[], options: BenchOptions): Contest[] {
  const plans = options.workloads.filter(({ name }) => measured.includes(name)).map((each) => planRuns(each, options))
  return plans.flatMap((plan) => servers.map((server) => ({ ...server, plan, runs: [] })))
}

const lineOf = ({ processes, server, plan, runs }: Contest, contests: readonly Contest[]): ProcessesLine => ({
  processes,
  title: `${plan.workload.name} ${plan.workload.title}`,
  runs,
  handwritten: contests
    .filter((other) => other.kind === 'handwritten' && other.plan === plan && other.processes === processes)
    .flatMap((other) => other.runs),
  memory: median(server.pids.slice(0, -1).map((pid) => residentMegabytes(pid)))
})

/**
 * Measures `modelwire serve --processes` with one, two and four processes on one PostgreSQL database, in turns, beside hand-written
 * servers that it starts in the same way.
 */
export async function runProcesses(
  options: BenchOptions,
  print: (text: string) => void
): Promise<readonly ProcessesLine[]> {
  const database: OpenDatabase = await databases.postgresql.create()
  const servers: Omit<Contest, 'plan' | 'runs'>[] = []
  const client = new Client({ connectionString: database.url })
  const restore = async (): Promise<void> =>
    void (await client.query('delete from product where id > $1', [options.rows]))
  try {
    await fill(database.url, options.rows)
    await client.connect()
    for (const { kind, processes } of serversToStart) {
      const running = await spawnProcesses(kind, processes, database.url)
      servers.push({ kind, processes, server: { ...running, database, restore } })
    }
    const contests = contestsOf(servers, options)
    await runContests(contests, options)
    const lines = contests.filter(({ kind }) => kind === 'modelwire').map((contest) => lineOf(contest, contests))
    print(printTable(processesColumns, lines))
    return lines
  } finally {
    for (const { server } of servers) await server.stop()
    await client.end()
    await database.drop()
  }
}

const middle =
  (valueOf: (run: Run) => number): Column<ProcessesLine>['cell'] =>
  ({ runs }) =>
    formatSpread(spreadOf(runs.map((run) => valueOf(run))))

/** Cores that all parts together kept busy. */
const coresOf = ({ server, database, generator, throughput }: Run): number =>
  ((server + (database ?? NaN) + generator) * throughput) / 1e6

/** The columns of its table. */
export const processesColumns: readonly Column<ProcessesLine>[] = [
  { heading: 'workload', side: 'left', cell: ({ title }) => title },
  { heading: 'processes', cell: ({ processes }) => String(processes) },
  { heading: '/s', cell: middle(({ throughput }) => throughput) },
  { heading: 'µs node', cell: middle(({ server }) => server) },
  { heading: 'by hand', cell: ({ handwritten }) => formatSpread(spreadOf(handwritten.map(({ server }) => server))) },
  { heading: 'postgres', cell: middle(({ database }) => database ?? NaN) },
  { heading: 'generator', cell: middle(({ generator }) => generator) },
  { heading: 'busy cores', cell: middle(coresOf) },
  { heading: 'MB a process', cell: ({ memory }) => formatNumber(memory) }
]
