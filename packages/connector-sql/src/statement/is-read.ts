import type { Statement } from '../sql.ts'

/** True for a statement that changes nothing. */
export function isRead({ sql }: Pick<Statement, 'sql'>): boolean {
  return /^(?:select|with) /.test(sql)
}
