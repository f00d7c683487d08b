/** Decides when to retry something that often fails. */
export interface Pause {
  /** True where an attempt may be made; asking counts as a call. */
  readonly isOver: () => boolean
  readonly failed: () => void
  readonly succeeded: () => void
}

/** Calls that pass at most until the next attempt. */
const longest = 256

/** After a failure the next attempt waits for one call, and for twice as many each time that it fails again. */
export function createPause(): Pause {
  let length = 0
  let left = 0
  return {
    isOver: () => left-- <= 0,
    failed: () => {
      length = Math.min(longest, length * 2 || 1)
      left = length
    },
    succeeded: () => {
      length = 0
      left = 0
    }
  }
}
