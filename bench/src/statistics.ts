/** The middle value; between the two middle ones when there is an even number. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const high = sorted[middle] ?? NaN
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? NaN) + high) / 2
}

/** The value that a share of all values do not exceed; NaN for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

/** How far the mean of values like these is from the true one, typically; NaN for fewer than two. */
export function standardError(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1) / values.length)
}

/** A median, and how far the values around it lie apart. */
export interface Spread {
  readonly median: number
  /** Half of the distance between the quartiles, as a part of the median. */
  readonly spread: number
}

/** Median and spread; NaN for none. */
export function spreadOf(values: readonly number[]): Spread {
  const middle = median(values)
  return { median: middle, spread: (percentile(values, 0.75) - percentile(values, 0.25)) / 2 / middle }
}

/** `above[i] / below[i]`, pair by pair: ratios of pairs do not mind when the machine slows both down. @throws {RangeError} */
export function spreadOfRatios(above: readonly number[], below: readonly number[]): Spread {
  if (above.length !== below.length) throw new RangeError('ratios need as many values above as below')
  return spreadOf(above.map((value, at) => value / (below[at] ?? NaN)))
}
