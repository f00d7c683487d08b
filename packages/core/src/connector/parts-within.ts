import { StatementTimeout } from './errors.ts'

/** Rows of one part of a result, at first: nothing is known of their size yet. */
const firstRows = 100

/** Rows of one part at most. */
const mostRows = 1000

/** Bytes that one part should have, about. */
const wantedBytes = 256 * 1024

/** Rows to ask for in the next part of a result, given the last one. */
export function nextPart(rows: number, bytes: number): number {
  return rows === 0 ? firstRows : Math.max(1, Math.min(mostRows, Math.round((rows * wantedBytes) / Math.max(1, bytes))))
}

/** True where a part has as many rows, or bytes, as one should have. @param isFirst it is the first part */
export const isFullPart = (rows: number, bytes: number, isFirst: boolean): boolean =>
  rows >= (isFirst ? firstRows : mostRows) || bytes >= wantedBytes

/** Waits for `work`, and calls `stop` once it takes longer than `limit` milliseconds; 0: no limit. */
export async function stopAfter<Result>(limit: number, stop: () => void, work: Promise<Result>): Promise<Result> {
  const timer = limit > 0 ? setTimeout(stop, limit) : undefined
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The parts of a result, for connectors whose database holds a connection for it: the iteration ends where the caller takes
 * longer than `limit` milliseconds to ask for the next part; 0: no limit. The caller gets a `StatementTimeout` then.
 */
export function partsWithin<Part>(parts: AsyncGenerator<Part>, limit: number): AsyncIterable<Part> {
  let timer: NodeJS.Timeout | undefined
  let isLate = false
  const end = (): void => {
    isLate = true
    void Promise.allSettled([parts.return(undefined)])
  }
  const iterator: AsyncIterator<Part> = {
    next: async () => {
      clearTimeout(timer)
      if (isLate) throw new StatementTimeout('the client took too long to read the answer')
      const part = await parts.next()
      if (part.done !== true && limit > 0) timer = setTimeout(end, limit)
      return part
    },
    return: async () => {
      clearTimeout(timer)
      return parts.return(undefined)
    }
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
