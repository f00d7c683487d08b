import { type AnyFunction, isPromiseLike } from './driver.ts'
import { hidesParameters } from './hides-parameters.ts'

/** What a function called back with, or its promise came to. */
export type Results = readonly unknown[]

/**
 * Calls a function with a callback appended. One that declares it is done when it calls back: a promise that it returns
 * as well only counts where it rejects. One that cannot reach a callback is done when it returns, or when its promise
 * is settled; of any other one counts what it does first.
 * @param self what `this` is
 */
export function callWithCallback(fn: AnyFunction, self: unknown, args: readonly unknown[]): Promise<Results> {
  return new Promise((resolve, reject) => {
    const callback = (error: unknown, ...results: unknown[]): void => {
      if (isFailure(error)) reject(toError(error))
      else resolve(results)
    }
    const declares = fn.length > args.length
    try {
      const returned = fn.apply(self, [...args, callback])
      if (isPromiseLike(returned)) void settle(returned, declares ? () => {} : resolve, reject)
      else if (!declares && !hidesParameters(fn)) resolve([returned])
    } catch (error) {
      reject(toError(error))
    }
  })
}

/** What a function called back with first. */
export const firstResult = async (results: Promise<Results>): Promise<unknown> => (await results)[0]

async function settle(
  returned: PromiseLike<unknown>,
  resolve: (results: Results) => void,
  reject: (error: Error) => void
): Promise<void> {
  try {
    resolve([await returned])
  } catch (error) {
    reject(toError(error))
  }
}

/** LoopBack's connectors give anything that counts as true for an error, texts as well. */
const isFailure = (error: unknown): boolean => Boolean(error)

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** Calls a callback with what a promise comes to. Errors of the callback are the process's. */
export async function answer(callback: AnyFunction, promise: Promise<Results>): Promise<void> {
  try {
    const results = await promise
    process.nextTick(() => callback(null, ...results))
  } catch (error) {
    process.nextTick(() => callback(error))
  }
}
