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

/**
 * The values of works that go on side by side, once all of them are over. Of several that fail the first in the list counts, not
 * the first in time: the same request has the same answer each time.
 * @throws what the first of them that failed rejects with
 */
export async function allInOrder<Value>(works: readonly (Value | Promise<Value>)[]): Promise<Value[]> {
  await Promise.allSettled(works)
  const values: Value[] = []
  for (const work of works) values.push(await work)
  return values
}
