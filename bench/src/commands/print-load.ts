import type { Run } from '../measure-run.ts'
import { isOther, type OtherName, others } from '../others/others.ts'
import { type Column, formatNumber, formatSpread, printTable } from '../print-table.ts'
import type { ServerKind } from '../servers/bench-server.ts'
import { median, type Spread, spreadOf, spreadOfRatios } from '../statistics.ts'
import type { LoadLine } from './run-load.ts'

/** The table: per workload what a request costs the best of the hand-written servers and Modelwire, and how both compare. */
export const printLoad = (lines: readonly LoadLine[]): string => printTable(loadColumns(lines), lines)

/** The columns of that table, and of the other frameworks that took part. */
export function loadColumns(lines: readonly LoadLine[]): readonly Column<LoadLine>[] {
  const withDatabase = lines.some(({ runs }) => ofModelwire(runs).some(({ database }) => database !== 0))
  const ofOthers = othersIn(lines).flatMap((name) => columnsOfOther(name, withDatabase))
  return [...columnsOf(withDatabase), ...ofOthers]
}

/** Who took part in a line: the hand-written server that is better by what is compared, Modelwire, and other frameworks. */
export function sidesOf({ runs }: LoadLine, compare: 'less' | 'more'): readonly LoadSide[] {
  const asked = othersIn([{ name: '', title: '', runs }])
  return [
    { kind: 'handwritten', title: 'hand-written', runs: limitOf(runs, compare).runs },
    { kind: 'modelwire', title: 'Modelwire', runs: ofModelwire(runs) },
    ...asked.map((name) => ({ kind: name, title: others[name].title, runs: runs[name] ?? [] }))
  ]
}

/** One who took part in a line. */
export interface LoadSide {
  readonly kind: ServerKind
  readonly title: string
  readonly runs: readonly Run[]
}

type Runs = LoadLine['runs']

const limits = ['handwritten', 'handwritten-json'] as const satisfies readonly ServerKind[]

const ofModelwire = (runs: Runs): readonly Run[] => runs.modelwire ?? runs['modelwire-indexed'] ?? []

/** Microseconds of server and database; unknown where that cannot be seen. */
export const total = ({ server, database }: Run): number => (database === null ? NaN : server + database)
/** Requests a second. */
export const throughput = (run: Run): number => run.throughput

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
    cpu: spreadOfRatios(cheapest.map(total), ours.map(total)),
    throughput: spreadOfRatios(ours.map(throughput), quickest.map(throughput))
  }
}

const printSpread = (runs: readonly Run[], read: (run: Run) => number): string => formatSpread(spreadOf(runs.map(read)))

const middle = (runs: readonly Run[], read: (run: Run) => number): string => printNumber(median(runs.map(read)))

const printNumber = (value: number): string => (Number.isNaN(value) ? '–' : formatNumber(value))

/** `120 + 40 = 160 ±3 %`: server and database. */
function printCost(runs: readonly Run[], withDatabase: boolean): string {
  if (!withDatabase) return printSpread(runs, total)
  const parts = [middle(runs, ({ server }) => server), middle(runs, ({ database }) => database ?? NaN)]
  const sum = spreadOf(runs.map(total))
  const text = `${parts.join(' + ')} = ${printNumber(sum.median)}`
  return Number.isNaN(sum.median) ? text : formatSpread(sum, text)
}

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
  { heading: 'CPU ratio', side: 'left', cell: ({ runs }) => formatSpread(ratiosOf(runs).cpu) },
  { heading: 'hand-written/s', cell: ({ runs }) => printSpread(limitOf(runs, 'more').runs, throughput) },
  { heading: 'Modelwire/s', cell: ({ runs }) => printSpread(ofModelwire(runs), throughput) },
  { heading: '/s ratio', side: 'left', cell: ({ runs }) => formatSpread(ratiosOf(runs).throughput) },
  {
    heading: 'p99 ms',
    cell: ({ runs }) => `${middle(limitOf(runs, 'more').runs, p99)} | ${middle(ofModelwire(runs), p99)}`
  },
  { heading: 'worst/best', cell: ({ runs }) => steadiness(ofModelwire(runs)) }
]

/** The same of the processes of both servers alone, where the database is not one that counts. */
export const serverColumns: readonly Column<LoadLine>[] = [
  { heading: 'workload', side: 'left', cell: ({ name, title }) => `${name} ${title}` },
  { heading: 'hand-written µs', cell: ({ runs }) => printSpread(runs.handwritten ?? [], ofServer) },
  { heading: 'Modelwire µs', cell: ({ runs }) => printSpread(ofModelwire(runs), ofServer) },
  {
    heading: 'CPU ratio',
    cell: ({ runs }) =>
      formatSpread(spreadOfRatios((runs.handwritten ?? []).map(ofServer), ofModelwire(runs).map(ofServer)))
  }
]

const ofServer = (run: Run): number => run.server

const p99 = (run: Run): number => run.p99

/** The other frameworks that took part in some line. */
const othersIn = (lines: readonly LoadLine[]): readonly OtherName[] =>
  Object.keys(others)
    .filter(isOther)
    .filter((name) => lines.some(({ runs }) => runs[name] !== undefined))

const columnsOfOther = (name: OtherName, withDatabase: boolean): readonly Column<LoadLine>[] => [
  {
    heading: `${others[name].title} µs`,
    cell: ({ runs }) => printOther(runs[name], (all) => printCost(all, withDatabase))
  },
  {
    heading: `${others[name].title}/s`,
    cell: ({ runs }) => printOther(runs[name], (all) => printSpread(all, throughput))
  }
]

const printOther = (runs: readonly Run[] | undefined, print: (runs: readonly Run[]) => string): string =>
  runs === undefined ? 'left out' : print(runs)
