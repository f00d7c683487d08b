// The one place that knows callbacks. Everything else speaks promises.

import { isFunction, type ScriptFunction } from '@modelwire/loopback-express'
import { scriptPromise } from './script-promise.ts'

export { isFunction, type ScriptFunction } from '@modelwire/loopback-express'

/** `(error, ...results)`, as Node's callbacks are. */
export type Callback = (error?: unknown, ...results: unknown[]) => void

/** The outcome of a call: the arguments of the callback, or the value of the promise. */
export type Outcome = { readonly results: readonly unknown[] } | { readonly value: unknown }

/** How a function is called besides its arguments. */
export interface BridgeOptions {
  /** Arguments behind the callback. */
  readonly behind?: readonly unknown[] | undefined
  /** It called back again, or called back and threw or settled a promise. */
  readonly onSecondAnswer?: (() => void) | undefined
}

/**
 * Calls a function with a callback appended. It may call back, return a promise, or throw; what it does first counts. What
 * it rejects with passes as it is, an error or not.
 */
export function callBridged(
  fn: ScriptFunction,
  self: unknown,
  args: readonly unknown[],
  { onSecondAnswer, behind = [] }: BridgeOptions = {}
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let answered = false
    const first = (settle: () => void): void => {
      if (answered) onSecondAnswer?.()
      else settle()
      answered = true
    }
    const callback: Callback = (error, ...results) => {
      // LB3: whatever counts as true is an error, a text or a number too; pinned by remoting/errors.
      first(() => (isError(error) ? reject(error) : resolve({ results })))
    }
    const settle = async (promise: PromiseLike<unknown>): Promise<void> => {
      try {
        const value = await promise
        first(() => resolve({ value }))
      } catch (error) {
        first(() => reject(error))
      }
    }
    try {
      const returned = fn.apply(self, [...args, callback, ...behind])
      if (isPromiseLike(returned)) void settle(returned)
    } catch (error) {
      first(() => reject(error))
    }
  })
}

function isError(value: unknown): boolean {
  return Boolean(value)
}

/** True for whatever has a method `then`. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return 'then' in value && typeof value.then === 'function'
}

/**
 * Calls a hook such as `(ctx, next)` or `(ctx, unused, next)`. One that declares `next` is waited for until it calls
 * it; one that does not is done when it returns, or when its promise is settled.
 * @param args its arguments before `next`
 */
export async function callHook(
  hook: ScriptFunction,
  self: unknown,
  args: readonly unknown[],
  options: BridgeOptions = {}
): Promise<void> {
  if (hook.length > args.length) {
    await callBridged(hook, self, args, options)
    return
  }
  // `next` is there for those that read it from `arguments`.
  await hook.apply(self, [...args, () => {}, ...(options.behind ?? [])])
}

/**
 * Calls a function whose first argument is `next`, and gives what it calls `next` with: at once where it does so at once. A promise
 * that it returns instead counts as well.
 */
export function callNext(
  fn: ScriptFunction,
  self: unknown,
  args: readonly unknown[]
): readonly unknown[] | Promise<readonly unknown[]> {
  const answered: { results?: readonly unknown[]; settle?: (results: readonly unknown[]) => void } = {}
  const next = (...results: unknown[]): void => {
    answered.results ??= results
    answered.settle?.(answered.results)
  }
  const returned = fn.call(self, next, ...args)
  if (answered.results !== undefined) return answered.results
  return new Promise((resolve, reject) => {
    answered.settle = resolve
    if (isPromiseLike(returned)) void awaitNext(returned, next, reject)
  })
}

async function awaitNext(
  returned: PromiseLike<unknown>,
  next: () => void,
  fail: (error: unknown) => void
): Promise<void> {
  try {
    await returned
    next()
  } catch (error) {
    fail(error)
  }
}

/** Calls a callback with the outcome of a promise. Errors of the callback itself are the process's, as in LoopBack. */
export async function answer(
  callback: Callback,
  promise: Promise<unknown>,
  toResults: (value: unknown) => readonly unknown[] = alone
): Promise<void> {
  try {
    const results = toResults(await promise)
    process.nextTick(callback, null, ...results)
  } catch (error) {
    process.nextTick(callback, error)
  }
}

function alone(value: unknown): readonly unknown[] {
  return [value]
}

/** Splits a callback off the end of a list of arguments. */
export function splitCallback(args: readonly unknown[]): { args: readonly unknown[]; callback: Callback | undefined } {
  const callback = args.at(-1)
  // A callback looks like any other function; data access takes no others.
  return isFunction(callback) ? { args: args.slice(0, -1), callback } : { args, callback: undefined }
}

/** Data access as scripts call it: with a callback it returns nothing, else a promise of bluebird. */
export function acceptCallback(
  method: (this: unknown, ...args: unknown[]) => Promise<unknown>,
  toResults?: (value: unknown) => readonly unknown[]
): ScriptFunction {
  return function (this: unknown, ...values: unknown[]): unknown {
    const { args, callback } = splitCallback(values)
    const promise = method.apply(this, [...args])
    if (callback === undefined) return scriptPromise(promise)
    void answer(callback, promise, toResults)
    return undefined
  }
}
