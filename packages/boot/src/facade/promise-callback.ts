/** A callback of Node, with the promise that it settles. */
export type PromiseCallback = ((error?: unknown, value?: unknown) => void) & { readonly promise: Promise<unknown> }

/**
 * `createPromiseCallback()`: lets a function give a promise where its caller passed no callback.
 * @see LoopBack 3: loopback, lib/utils.js
 */
export function createPromiseCallback(): PromiseCallback {
  const settlers: ((error?: unknown, value?: unknown) => void)[] = []
  const promise = new Promise<unknown>((resolve, reject) => {
    settlers.push((error, value) => (error === undefined || error === null ? resolve(value) : reject(error)))
  })
  return Object.assign(
    (error?: unknown, value?: unknown) => {
      for (const settle of settlers) settle(error, value)
    },
    { promise }
  )
}
