import type { IsolationLevel } from 'kysely'
import { IsolationUnknown } from '../errors.ts'

const levels: ReadonlySet<string> = new Set(['read uncommitted', 'read committed', 'repeatable read', 'serializable'])

/**
 * The level as kysely calls it, from any way of writing it: `READ COMMITTED`, `READ_COMMITTED`, `read committed`.
 * @throws {IsolationUnknown} there is no such level
 */
export function readIsolation(written: string): IsolationLevel {
  const level = written.toLowerCase().replaceAll('_', ' ').trim()
  if (!levels.has(level))
    throw new IsolationUnknown(`"${written}" is none of the isolation levels ${[...levels].join(', ')}`)
  // The set holds names of levels alone.
  return level as IsolationLevel
}
