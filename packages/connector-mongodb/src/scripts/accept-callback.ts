/** Any function of the driver. */
export type AnyFunction = (...args: readonly unknown[]) => unknown

/** True for a function. */
export const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function'

/**
 * Lets a function that gives a promise be called with a callback as its last argument, as drivers before version 5 had it: then it
 * gives nothing.
 */
export function acceptCallback(perform: AnyFunction): AnyFunction {
  return (...args) => {
    const callback = args.at(-1)
    if (!isFunction(callback)) return perform(...args)
    void answer(async () => perform(...args.slice(0, -1)), callback)
    return undefined
  }
}

/** What a callback throws is its script's own fault: it is not called again. */
async function answer(perform: () => Promise<unknown>, callback: AnyFunction): Promise<void> {
  const [done] = await Promise.allSettled([perform()])
  const args = done.status === 'fulfilled' ? [null, done.value] : [done.reason]
  process.nextTick(callback, ...args)
}
