/** One value at a time. */
export interface Sample {
  /** Seconds. */
  readonly at: number
  readonly value: number
}

/** A straight line through samples. */
export interface Slope {
  /** Units of the value per minute. */
  readonly perMinute: number
  /** Half of the 95 % confidence interval, in the same unit. */
  readonly margin: number
  readonly samples: number
}

/** The 97.5 % quantiles of Student's t for so many degrees of freedom; beyond the last that of the normal distribution is close. */
const quantiles: readonly (readonly [degrees: number, quantile: number])[] = [
  [1, 12.71],
  [2, 4.303],
  [3, 3.182],
  [4, 2.776],
  [5, 2.571],
  [6, 2.447],
  [8, 2.306],
  [10, 2.228],
  [15, 2.131],
  [20, 2.086],
  [30, 2.042],
  [60, 2]
]

/** Of degrees between two lines the larger quantile holds: an interval is rather too wide. */
const quantileOf = (degrees: number): number =>
  (quantiles.findLast(([known]) => known <= degrees) ?? [0, Number.POSITIVE_INFINITY])[1]

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/**
 * The line of least squares through samples, with the confidence interval of its slope as if their errors were independent. Those of
 * memory are not, since a collection of garbage moves many samples: the true interval is wider. Undefined for fewer than three samples.
 */
export function fitSlope(samples: readonly Sample[]): Slope | undefined {
  const count = samples.length
  if (count < 3) return undefined
  const meanAt = sum(samples.map(({ at }) => at)) / count
  const meanValue = sum(samples.map(({ value }) => value)) / count
  const across = sum(samples.map(({ at }) => (at - meanAt) ** 2))
  const slope = sum(samples.map(({ at, value }) => (at - meanAt) * (value - meanValue))) / across
  const residuals = samples.map(({ at, value }) => (value - meanValue - slope * (at - meanAt)) ** 2)
  const error = Math.sqrt(sum(residuals) / (count - 2) / across)
  return { perMinute: slope * 60, margin: quantileOf(count - 2) * error * 60, samples: count }
}
