import { IsolationUnknown } from '../errors.ts'

const levels: ReadonlySet<string> = new Set(['READ UNCOMMITTED', 'READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'])

/**
 * The level as LoopBack's connectors write it into their statements: READ COMMITTED unless another one is asked for, in any way of
 * writing it.
 * @throws {IsolationUnknown} there is no such level
 */
export function readIsolation(written = 'READ COMMITTED'): string {
  const level = written.toUpperCase().replaceAll('_', ' ').trim()
  if (levels.has(level)) return level
  throw new IsolationUnknown(`"${written}" is none of the isolation levels ${[...levels].join(', ').toLowerCase()}`)
}
