import type { SoakResult } from './run-soak.ts'
import type { Slope } from './fit-slope.ts'
import { warmUp } from './summarize.ts'

const slopeText = (slope: Slope | undefined): string =>
  slope === undefined ? '–' : `${slope.perMinute.toFixed(3)} ± ${slope.margin.toFixed(3)}`

const cellsOf = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [cellsOf(head), cellsOf(head.map(() => '---')), ...rows.map((row) => cellsOf(row))].join('\n')
}

/** The result of a soak as Markdown. */
export function reportOf({ minutes, checks, answers, lifetimes, stores, faults }: SoakResult): string {
  const processes = lifetimes.map(({ process, pid, minutes: lived, rss, heap, descriptors, ...last }) => [
    `${process} (${pid})`,
    lived.toFixed(1),
    slopeText(rss),
    slopeText(heap),
    slopeText(descriptors),
    last.lastRss.toFixed(0),
    last.mostDescriptors,
    `${last.lag.median.toFixed(1)} / ${last.lag.most.toFixed(0)}`
  ])
  const head = [
    'process',
    'minutes',
    'RSS MB/min',
    'heap MB/min',
    'descriptors/min',
    'last RSS MB',
    'most descriptors',
    'lag p99 ms, median / most'
  ]
  return [
    `${minutes} minutes. Slopes: least squares per lifetime of a process without its first ${warmUp} s, ± half of the 95 % confidence interval.`,
    table(['check', 'value'], Object.entries(checks)),
    table(head, processes),
    table(
      ['stored', 'rows per minute'],
      Object.entries(stores).map(([name, slope]) => [name, slopeText(slope)])
    ),
    table(['answers', 'count'], Object.entries(answers)),
    table(
      ['at s', 'fault', 'took s', 'error'],
      faults.map(({ at, what, took, error = '' }) => [Math.round(at), what, took, error])
    )
  ].join('\n\n')
}
