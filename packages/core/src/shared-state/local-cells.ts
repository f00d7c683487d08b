import { type Cells, countIn, type Decide } from './cells.ts'

/** Cells of one process: nothing has to be waited for. */
export interface LocalCells extends Cells {
  readonly change: <Value, Result>(key: string, decide: Decide<Value, Result>) => Result
}

interface Kept {
  readonly value: unknown
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Makes cells in the memory of this process. @param size values that are kept: those that were used last */
export function makeLocalCells(size: number): LocalCells {
  const kept = new Map<string, Kept>()
  const keep = (key: string, value: Kept): void => {
    kept.delete(key)
    kept.set(key, value)
    const [oldest] = kept.keys()
    if (kept.size > size && oldest !== undefined) kept.delete(oldest)
  }
  const change = <Value, Result>(key: string, decide: Decide<Value, Result>): Result => {
    const found = kept.get(key)
    const current = found !== undefined && found.until > Date.now() ? found : undefined
    const { result, next, lifetime = Infinity } = decide(current?.value as Value | undefined) // as it was put there
    if (next === null) kept.delete(key)
    else if (next !== undefined) keep(key, { value: next, until: Date.now() + lifetime })
    else if (current !== undefined) keep(key, current)
    return result
  }
  return { change, count: (key, window) => countIn(change, key, window) }
}
