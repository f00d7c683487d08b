import { measureRun, planRuns, type Plan, type Run, warmUp } from '../measure-run.ts'
import type { BenchOptions } from '../options.ts'
import { type Column, formatNumber, formatSpread, printTable } from '../print-table.ts'
import { spawnServer, type RunningServer } from '../spawn-server.ts'
import { spreadOf } from '../statistics.ts'
import { workloads } from '../workloads.ts'

/** Modelwire with one number of rows. */
export interface GrowthLine {
  readonly rows: number
  /** Resident megabytes once the rows are there. */
  readonly memory: number
  /** Runs by the name of the workload. */
  readonly runs: Readonly<Record<string, readonly Run[]>>
}

const grown = ['W1', 'W2']

/** Measures reads by id and by an ordered index in a table that gets larger and larger. */
export async function runGrowth(options: BenchOptions, print: (text: string) => void): Promise<readonly GrowthLine[]> {
  const lines: GrowthLine[] = []
  for (const rows of options.sizes) {
    lines.push(await measureSize(rows, options))
    print(`${rows.toLocaleString('en-US')} rows are done`)
  }
  print(printTable(growthColumns, lines))
  return lines
}

async function measureSize(rows: number, options: BenchOptions): Promise<GrowthLine> {
  const server = await spawnServer({ kind: 'modelwire-indexed', rows, productsOnly: true })
  try {
    await server.restore()
    const memory = (await server.readMemory()) / 2 ** 20
    const runs: Record<string, readonly Run[]> = {}
    for (const workload of workloads.filter(({ name }) => grown.includes(name))) {
      runs[workload.name] = await measureRuns(server, planRuns(workload, { ...options, rows }), options)
    }
    return { rows, memory, runs }
  } finally {
    await server.stop()
  }
}

async function measureRuns(server: RunningServer, plan: Plan, options: BenchOptions): Promise<readonly Run[]> {
  await warmUp(server, plan, options)
  const runs: Run[] = []
  for (let at = 0; at < options.pairs; at++) runs.push(await measureRun(server, plan, options))
  return runs
}

/** The columns of its table. */
export const growthColumns: readonly Column<GrowthLine>[] = [
  { heading: 'rows', cell: ({ rows }) => rows.toLocaleString('en-US') },
  { heading: 'W1 read by id µs', cell: ({ runs }) => cpuOf(runs['W1']) },
  { heading: 'W2 indexed µs', cell: ({ runs }) => cpuOf(runs['W2']) },
  { heading: 'memory MB', cell: ({ memory }) => formatNumber(memory) }
]

function cpuOf(runs: readonly Run[] = []): string {
  return formatSpread(spreadOf(runs.map((run) => run.server)))
}
