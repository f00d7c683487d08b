/** Memory that all answers that wait to be compared may take together. */
export interface ByteBudget {
  /** False when there is not so much left. */
  readonly take: (bytes: number) => boolean
  readonly giveBack: (bytes: number) => void
}

/** @param total bytes */
export function makeByteBudget(total: number): ByteBudget {
  let left = total
  return {
    take: (bytes) => {
      if (bytes > left) return false
      left -= bytes
      return true
    },
    giveBack: (bytes) => {
      left += bytes
    }
  }
}
