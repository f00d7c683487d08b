import type { Run } from '../measure-run.ts'
import { formatNumber, printTable, type Column } from '../print-table.ts'
import type { ServerKind } from '../servers/bench-server.ts'
import { median, type Spread, spreadOf } from '../statistics.ts'
import type { LoadLine } from './run-load.ts'

/** The table: per workload what a request costs the best of the hand-written servers and Modelwire, and how both compare. */
export function printLoad(lines: readonly LoadLine[]): string {
  const withDatabase = lines.some(({ runs }) => ofModelwire(runs).some(({ database }) => database !== 0))
  const withLoopBack = lines.some(({ runs }) => runs.loopback !== undefined)
  return printTable([...columnsOf(withDatabase), ...(withLoopBack ? loopbackColumns : [])], lines)
}

type Runs = LoadLine['runs']

const limits = ['handwritten', 'handwritten-json'] as const satisfies readonly ServerKind[]

const ofModelwire = (runs: Runs): readonly Run[] => runs.modelwire ?? runs['modelwire-indexed'] ?? []

/** Unknown where the database cannot be seen. */
const total = ({ server, database }: Run): number => (database === null ? NaN : server + database)
const throughput = (run: Run): number => run.throughput

/** The hand-written server that is better, by what is compared. */
function limitOf(runs: Runs, compare: 'less' | 'more'): { readonly kind: ServerKind; readonly runs: readonly Run[] } {
  const sides = limits.map((kind) => ({ kind, runs: runs[kind] ?? [] })).filter((side) => side.runs.length > 0)
  const valueOf = (side: { readonly runs: readonly Run[] }): number =>
    compare === 'less' ? median(side.runs.map(total)) : -median(side.runs.map(throughput))
  return sides.toSorted((a, b) => valueOf(a) - valueOf(b))[0] ?? { kind: 'handwritten', runs: [] }
}

/** In CPU and in requests a second: 1 is as good as the limit, more is better. */
export function ratiosOf(runs: Runs): { readonly cpu: Spread; readonly throughput: Spread } {
  const ours = ofModelwire(runs)
  const [cheapest, quickest] = [limitOf(runs, 'less').runs, limitOf(runs, 'more').runs]
  return {
    cpu: spreadOf(ours.map((run, at) => total(cheapest[at] ?? none) / total(run))),
    throughput: spreadOf(ours.map((run, at) => run.throughput / throughput(quickest[at] ?? none)))
  }
}

const none: Run = { server: NaN, database: NaN, generator: NaN, throughput: NaN, p99: NaN }

/** A figure that spreads wider says nothing. */
export const widest = 0.1

const printRatio = ({ median: middle, spread }: Spread): string =>
  Number.isNaN(middle)
    ? 'not measured'
    : `${formatNumber(middle)} ±${Math.round(spread * 100)} %${spread <= widest ? '' : ', not measured'}`

const middle = (runs: readonly Run[], read: (run: Run) => number): string => printNumber(median(runs.map(read)))

const printNumber = (value: number): string => (Number.isNaN(value) ? '–' : formatNumber(value))

/** `120 + 40 = 160`: server and database. */
const printCost = (runs: readonly Run[], withDatabase: boolean): string =>
  withDatabase
    ? `${middle(runs, ({ server }) => server)} + ${middle(runs, ({ database }) => database ?? NaN)} = ${middle(runs, total)}`
    : middle(runs, ({ server }) => server)

/** The slowest of its runs beside the quickest. */
function steadiness(runs: readonly Run[]): string {
  const all = runs.map(throughput)
  return formatNumber(Math.min(...all) / Math.max(...all))
}

const wayOf = (kind: ServerKind): string => (kind === 'handwritten-json' ? 'JSON' : 'rows')

const columnsOf = (withDatabase: boolean): readonly Column<LoadLine>[] => [
  { heading: 'workload', side: 'left', cell: ({ name, title }) => `${name} ${title}` },
  ...(withDatabase ? [{ heading: 'limit', cell: ({ runs }: LoadLine) => wayOf(limitOf(runs, 'less').kind) }] : []),
  { heading: 'hand-written µs', cell: ({ runs }) => printCost(limitOf(runs, 'less').runs, withDatabase) },
  { heading: 'Modelwire µs', cell: ({ runs }) => printCost(ofModelwire(runs), withDatabase) },
  { heading: 'CPU ratio', side: 'left', cell: ({ runs }) => printRatio(ratiosOf(runs).cpu) },
  { heading: 'hand-written/s', cell: ({ runs }) => middle(limitOf(runs, 'more').runs, throughput) },
  { heading: 'Modelwire/s', cell: ({ runs }) => middle(ofModelwire(runs), throughput) },
  { heading: '/s ratio', side: 'left', cell: ({ runs }) => printRatio(ratiosOf(runs).throughput) },
  {
    heading: 'p99 ms',
    cell: ({ runs }) => `${middle(limitOf(runs, 'more').runs, p99)} | ${middle(ofModelwire(runs), p99)}`
  },
  { heading: 'worst/best', cell: ({ runs }) => steadiness(ofModelwire(runs)) }
]

const p99 = (run: Run): number => run.p99

const loopbackColumns: readonly Column<LoadLine>[] = [
  { heading: 'LoopBack 3 µs', cell: ({ runs }) => middle(runs.loopback ?? [], total) },
  { heading: 'LoopBack 3/s', cell: ({ runs }) => middle(runs.loopback ?? [], throughput) }
]
