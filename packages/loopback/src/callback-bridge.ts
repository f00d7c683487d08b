// The one place that knows callbacks. Everything else speaks promises.

import { createRequire } from 'node:module'
import { AsyncLocalStorage } from 'node:async_hooks'

/** The part of bluebird that this file needs: it has no types of its own. */
interface Library {
  getNewLibraryCopy(): Library
  config(options: { readonly asyncHooks: boolean }): void
  resolve(promise: Promise<unknown>): PromiseLike<unknown>
}

let library: Library | undefined

/** A callback with Node's signature, `(error, ...results)`. */
export type Callback = (error?: unknown, ...results: unknown[]) => void

/** The outcome of a call: the arguments of the callback, or the value of the promise. */
export type Outcome = { readonly results: readonly unknown[] } | { readonly value: unknown }

/** Options for calling a function, in addition to its arguments. */
export interface BridgeOptions {
  /** Arguments after the callback. */
  readonly behind?: readonly unknown[] | undefined
  /** Called if it calls back again, or calls back and fulfils a promise; or if it then fails, and `onLateError` is absent. */
  readonly onSecondAnswer?: (() => void) | undefined
  /** Called if it has called back, and it, its promise, or a nested callback fails later. */
  readonly onLateError?: ((error: unknown) => void) | undefined
}

/**
 * Calls a function with a callback appended. It may call back, return a promise, or throw; whichever happens first counts.
 * Rejections are passed on unchanged, whether or not they are errors.
 */
export function callBridged(
  fn: ScriptFunction,
  self: unknown,
  args: readonly unknown[],
  { onSecondAnswer, onLateError, behind = [] }: BridgeOptions = {}
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let answered = false
    const first = (conclude: () => void): void => {
      if (answered) onSecondAnswer?.()
      else conclude()
      answered = true
    }
    const callback: Callback = (error, ...results) => {
      // LB3: whatever counts as true is an error, a text or a number too; pinned by remoting/errors.
      first(() => (isError(error) ? reject(error) : resolve({ results })))
    }
    const fail = (error: unknown): boolean => {
      if (answered) return false
      first(() => reject(error))
      return true
    }
    const refuse = (error: unknown): void => {
      if (fail(error)) return
      if (onLateError === undefined) onSecondAnswer?.()
      else onLateError(error)
    }
    const fulfil = (value: unknown): void => first(() => resolve({ value }))
    try {
      const returned = runCall({ fail, warn: onLateError }, () => fn.apply(self, [...args, callback, ...behind]))
      if (isPromiseLike(returned)) void settle(returned, fulfil, refuse)
    } catch (error) {
      refuse(error)
    }
  })
}

async function settle(
  promise: PromiseLike<unknown>,
  fulfil: (value: unknown) => void,
  refuse: (error: unknown) => void
): Promise<void> {
  try {
    fulfil(await promise)
  } catch (error) {
    refuse(error)
  }
}

function isError(value: unknown): boolean {
  return Boolean(value)
}

/** True for any value with a method `then`. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return 'then' in value && typeof value.then === 'function'
}

/**
 * Calls a hook such as `(ctx, next)` or `(ctx, unused, next)`. One that declares `next` is done when it calls it; one that
 * does not is done when it returns, or when its promise settles.
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
 * Calls a function whose first argument is `next`, and returns what it calls `next` with: synchronously if possible. A
 * returned promise counts as well.
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

/** Calls a callback with the outcome of a promise, outside of any promise: its errors belong to the call. */
export async function answer(
  callback: Callback,
  promise: Promise<unknown>,
  toResults: (value: unknown) => readonly unknown[] = alone
): Promise<void> {
  try {
    const results = toResults(await promise)
    process.nextTick(callBack, callback, null, ...results)
  } catch (error) {
    process.nextTick(callBack, callback, error)
  }
}

function alone(value: unknown): readonly unknown[] {
  return [value]
}

/** Splits a trailing callback off a list of arguments. */
export function splitCallback(args: readonly unknown[]): { args: readonly unknown[]; callback: Callback | undefined } {
  const callback = args.at(-1)
  // A callback looks like any other function; data access takes no others.
  return isFunction(callback) ? { args: args.slice(0, -1), callback } : { args, callback: undefined }
}

/** Wraps data access for scripts: with a callback it returns nothing, otherwise a bluebird promise. */
export function acceptCallback(
  method: (...args: unknown[]) => Promise<unknown>,
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

/** Loaded when a script first gets a promise; a copy, since settings belong to a whole library. */
function load(): Library {
  const bluebird = createRequire(import.meta.url)('bluebird') as Library // see above
  const copy = bluebird.getNewLibraryCopy()
  // What runs after it belongs to the same request and transaction.
  copy.config({ asyncHooks: true })
  return copy
}

/**
 * A promise as LoopBack returns it to scripts: one of bluebird, with `spread`, `map`, `filter`, `tap`, `asCallback` and
 * so on. An unhandled rejection is written to stderr, and does not end the process.
 */
function scriptPromise(promise: Promise<unknown>): PromiseLike<unknown> {
  library ??= load()
  return library.resolve(promise)
}

/** A Node callback, with the promise that it settles. */
export type PromiseCallback = ((error?: unknown, value?: unknown) => void) & { readonly promise: Promise<unknown> }

/**
 * Implements `createPromiseCallback()`: lets a function return a promise if its caller passed no callback.
 * @see LoopBack 3: loopback, lib/utils.js
 */
export function createPromiseCallback(): PromiseCallback {
  const settlers: ((error?: unknown, value?: unknown) => void)[] = []
  const promise = new Promise<unknown>((resolve, reject) => {
    settlers.push((error, value) => (error === undefined || error === null ? resolve(value) : reject(error)))
  })
  return Object.assign(
    (error?: unknown, value?: unknown) => {
      for (const conclude of settlers) conclude(error, value)
    },
    { promise }
  )
}

/** Handles errors that later callbacks of a script's call throw. */
export interface CallErrors {
  /** Fails the call; false if it is over. */
  readonly fail: (error: unknown) => boolean
  /** Reports an error once all calls are over; otherwise it is an uncaught exception. */
  readonly warn?: ((error: unknown) => void) | undefined
}

// It follows the asynchronous work of a call. The innermost comes first.
const running = new AsyncLocalStorage<readonly CallErrors[]>()

/** Runs a function of a script; errors thrown by its callbacks, if called with `callBack`, are passed to `errors`. */
export const runCall = <T>(errors: CallErrors, run: () => T): T =>
  running.run([errors, ...(running.getStore() ?? [])], run)

/**
 * Calls a callback of a script. An error that it throws fails the innermost pending call; if there is none, it is reported
 * by one of them, or rethrown. LB3: many callbacks are called before the function returns, so that its caller catches what
 * they throw.
 */
export function callBack(callback: (...args: unknown[]) => unknown, ...args: unknown[]): void {
  try {
    callback(...args)
  } catch (error) {
    const calls = running.getStore() ?? []
    if (calls.some(({ fail }) => fail(error))) return
    const warn = calls.find((call) => call.warn !== undefined)?.warn
    if (warn === undefined) throw error
    warn(error)
  }
}

/** A function of a script: its last parameter may be a callback. */
export type ScriptFunction = (...args: unknown[]) => unknown

/** True for functions of scripts. */
export function isFunction(value: unknown): value is ScriptFunction {
  return typeof value === 'function'
}
