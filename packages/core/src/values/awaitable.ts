/** A value, or a promise of it where it has to be waited for. */
export type Awaitable<T> = T | Promise<T>

/**
 * `next` of the value: at once where the value is there, which costs neither a promise nor a turn of the event loop. What
 * `next` throws is then thrown, not rejected: callers are asynchronous functions or catch both.
 */
export function andThen<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? later(value, next) : next(value)
}

async function later<T, U>(value: Promise<T>, next: (value: T) => Awaitable<U>): Promise<U> {
  return next(await value)
}
