/** A promise with the functions that settle it. */
export interface Deferred {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (reason: Error) => void
}

/** Makes a promise that is settled from outside: `Promise.withResolvers`, which Node 20 does not have. */
export function createDeferred(): Deferred {
  const settle: { resolve?: () => void; reject?: (reason: Error) => void } = {}
  const promise = new Promise<void>((resolve, reject) => {
    settle.resolve = resolve
    settle.reject = reject
  })
  return { promise, resolve: () => settle.resolve?.(), reject: (reason) => settle.reject?.(reason) }
}
