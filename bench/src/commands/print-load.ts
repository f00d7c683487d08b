import type { Run } from '../measure-run.ts'
import { formatNumber, printTable, type Column } from '../print-table.ts'
import type { ServerKind } from '../servers/bench-server.ts'
import { median, summarizeRatios } from '../statistics.ts'
import type { LoadLine } from './run-load.ts'

/** The table: per workload what a request costs each server, and the ratio of hand-written to Modelwire. */
export function printLoad(lines: readonly LoadLine[]): string {
  const withLoopBack = lines.some(({ runs }) => runs.loopback !== undefined)
  return printTable([...columns, ...(withLoopBack ? loopbackColumns : [])], lines)
}

const columns: readonly Column<LoadLine>[] = [
  { heading: 'workload', side: 'left', cell: ({ name, title }) => `${name} ${title}` },
  { heading: 'hand-written µs', cell: ({ runs }) => middle(ofHandwritten(runs), cpu) },
  { heading: 'Modelwire µs', cell: ({ runs }) => middle(ofModelwire(runs), cpu) },
  { heading: 'ratio', cell: ({ runs }) => printRatio(runs) },
  { heading: 'lowest–highest', cell: ({ runs }) => printSpread(runs) },
  { heading: 'hand-written/s', cell: ({ runs }) => middle(ofHandwritten(runs), throughput) },
  { heading: 'Modelwire/s', cell: ({ runs }) => middle(ofModelwire(runs), throughput) }
]

const loopbackColumns: readonly Column<LoadLine>[] = [
  { heading: 'LoopBack 3 µs', cell: ({ runs }) => middle(runs.loopback, cpu) },
  { heading: 'LoopBack 3/s', cell: ({ runs }) => middle(runs.loopback, throughput) }
]

type Runs = Partial<Record<ServerKind, Run[]>>

function ofModelwire(runs: Runs): Run[] | undefined {
  return runs.modelwire ?? runs['modelwire-indexed'] ?? runs['modelwire-postgresql'] ?? runs['modelwire-mongodb']
}

function ofHandwritten(runs: Runs): Run[] | undefined {
  return runs.handwritten ?? runs['handwritten-postgresql'] ?? runs['handwritten-mongodb']
}

/** Hand-written ÷ Modelwire in CPU time: 1 is as good as hand-written, more is better. */
function ratioOf(runs: Runs) {
  return summarizeRatios((ofHandwritten(runs) ?? []).map(cpu), (ofModelwire(runs) ?? []).map(cpu))
}

function printRatio(runs: Runs): string {
  return formatNumber(ratioOf(runs).median)
}

function printSpread(runs: Runs): string {
  const { lowest, highest } = ratioOf(runs)
  return `${formatNumber(lowest)}–${formatNumber(highest)}`
}

function middle(runs: readonly Run[] | undefined, read: (run: Run) => number): string {
  return runs === undefined ? '–' : formatNumber(median(runs.map(read)))
}

function cpu(run: Run): number {
  return run.cpuMicros
}

function throughput(run: Run): number {
  return Math.round(run.throughput)
}
