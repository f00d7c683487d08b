import { IsolationUnknown } from './errors.ts'

/** The isolation levels of SQL, the strictest one first. */
export const isolationLevels = ['serializable', 'repeatable read', 'read committed', 'read uncommitted'] as const

/** An isolation level of a transaction. */
export type Isolation = (typeof isolationLevels)[number]

/**
 * An isolation level from any way of writing it: `READ COMMITTED`, `READ_COMMITTED`, `read committed`.
 * @throws {IsolationUnknown} there is no such level
 */
export function readIsolation(written: string): Isolation {
  const wanted = written.toLowerCase().replaceAll('_', ' ').trim()
  const level = isolationLevels.find((each) => each === wanted)
  if (level !== undefined) return level
  throw new IsolationUnknown(`Unknown isolation level "${written}": use one of ${isolationLevels.join(', ')}`)
}
