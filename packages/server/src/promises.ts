/** A value, or a promise of it if it is asynchronous. */
export type Awaitable<T> = T | Promise<T>

/**
 * Calls `next` with the value: synchronously if the value is available, which saves a promise and a turn of the event loop.
 * Errors of `next` are then thrown, not rejected: callers are asynchronous functions or catch both.
 */
export function andThen<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? later(value, next) : next(value)
}

async function later<T, U>(value: Promise<T>, next: (value: T) => Awaitable<U>): Promise<U> {
  return next(await value)
}

/**
 * The values of concurrent promises, once all of them are settled. If several fail, the first in the list counts, not the
 * first in time: the same request has the same response each time.
 * @throws what the first of them that failed rejects with
 */
export async function allInOrder<Value>(works: readonly (Value | Promise<Value>)[]): Promise<Value[]> {
  await Promise.allSettled(works)
  const values: Value[] = []
  for (const work of works) values.push(await work)
  return values
}

/** Runs a task as soon as a slot is free. */
export type RunLimited = <Value>(task: () => Promise<Value>) => Promise<Value>

/** Runs tasks with the same key one after the other. */
export type TakeTurns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/** Waits until something is over, whatever became of it. */
async function untilOver(work: Promise<unknown> | undefined): Promise<void> {
  if (work !== undefined) await Promise.allSettled([work])
}

/** Makes the function that runs tasks with the same key one after the other. */
export function makeTurns(): TakeTurns {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const takeTurn = async (before: Promise<unknown> | undefined) => {
      await untilOver(before)
      return work()
    }
    const turn = takeTurn(last.get(key))
    last.set(key, turn)
    try {
      return await turn
    } finally {
      if (last.get(key) === turn) last.delete(key)
    }
  }
}

/** A number of places, which are taken in the order of asking. */
export interface Places {
  /** Resolves when a place is taken. */
  readonly enter: () => Promise<void>
  readonly leave: () => void
}

/** Makes `count` places. */
export function makePlaces(count: number): Places {
  const waiting: (() => void)[] = []
  let taken = 0
  return {
    enter: async () => {
      if (taken >= count) await new Promise<void>((resolve) => waiting.push(resolve))
      else taken++
    },
    leave: () => {
      // A place that is passed on stays taken.
      const next = waiting.shift()
      if (next === undefined) taken--
      else next()
    }
  }
}

/** Makes a queue that runs at most `places` tasks concurrently. */
export function limitParallel(places: number): RunLimited {
  const { enter, leave } = makePlaces(places)
  return async (task) => {
    await enter()
    try {
      return await task()
    } finally {
      leave()
    }
  }
}
