import { fitSlope, type Slope } from './fit-slope.ts'
import type { ProcessSample, StoreSample } from './take-samples.ts'

/** How one process fared between two starts. */
export interface Lifetime {
  readonly process: number
  readonly pid: number
  /** Minutes from its first sample to its last. */
  readonly minutes: number
  readonly rss: Slope | undefined
  readonly heap: Slope | undefined
  readonly descriptors: Slope | undefined
  /** Megabytes at the end. */
  readonly lastRss: number
  readonly mostDescriptors: number
  /** Milliseconds: of all samples the middle one, and the worst. */
  readonly lag: { readonly median: number; readonly most: number }
}

/** Seconds of each lifetime that do not count: code is loaded and compiled, caches fill. */
export const warmUp = 300

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

function lifetimeOf(samples: readonly ProcessSample[]): Lifetime[] {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return []
  const steady = samples.filter(({ at }) => at - first.at >= warmUp)
  const slopeOf = (valueOf: (sample: ProcessSample) => number | undefined): Slope | undefined =>
    fitSlope(
      steady.flatMap((sample) => {
        const value = valueOf(sample)
        return value === undefined ? [] : [{ at: sample.at, value }]
      })
    )
  const lags = samples.flatMap(({ lag }) => lag ?? [])
  return [
    {
      process: first.process,
      pid: first.pid,
      minutes: (last.at - first.at) / 60,
      rss: slopeOf(({ rss }) => rss),
      heap: slopeOf(({ heap }) => heap),
      descriptors: slopeOf(({ descriptors }) => descriptors),
      lastRss: last.rss,
      mostDescriptors: Math.max(...samples.map(({ descriptors }) => descriptors)),
      lag: { median: medianOf(lags), most: Math.max(...lags) }
    }
  ]
}

/** The lifetimes of all processes, in the order of their starts. */
export function lifetimesOf(samples: readonly ProcessSample[]): readonly Lifetime[] {
  const pids = [...new Set(samples.map(({ pid }) => pid))]
  return pids.flatMap((number) => lifetimeOf(samples.filter(({ pid }) => pid === number)))
}

/** How the number of rows of each table changes, in rows per minute, after the warm-up. */
export function storeSlopes(samples: readonly StoreSample[]): Readonly<Record<string, Slope | undefined>> {
  const names = [...new Set(samples.flatMap(({ rows }) => Object.keys(rows)))]
  const slopeOf = (name: string): Slope | undefined =>
    fitSlope(
      samples.flatMap(({ at, rows }) => {
        const value = rows[name]
        return value === undefined || at < warmUp ? [] : [{ at, value }]
      })
    )
  return Object.fromEntries(names.map((name) => [name, slopeOf(name)]))
}
