import type { Fault, PlainFault } from '@modelwire/connector-sql'

/** What an error of libsql means. @see https://www.sqlite.org/rescode.html */
export function sqliteFault(error: unknown): Fault | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  const { code, message } = error
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
    return { kind: 'duplicate', constraint: /: (?:.*, )?(\S+)$/.exec(message)?.[1] }
  if (code.startsWith('SQLITE_CONSTRAINT')) return { kind: 'constraint', constraint: undefined }
  if (/^SQLITE_(?:NOMEM|TOOBIG)/.test(code)) return { kind: 'tooLarge' }
  const match = kinds.find(([pattern]) => pattern.test(code))
  if (match !== undefined) return { kind: match[1] }
  const byText = messages.find(([pattern]) => pattern.test(message))?.[1]
  return byText ?? (code.startsWith('SQLITE_') ? { kind: 'other' } : undefined)
}

const kinds: readonly (readonly [RegExp, PlainFault])[] = [
  [/^SQLITE_(?:BUSY|LOCKED)/, 'timeout'],
  [/^SQLITE_FULL/, 'full'],
  [/^SQLITE_(?:CANTOPEN|IOERR|READONLY|CORRUPT|NOTADB|PERM|AUTH)/, 'lost'],
  [/^SQLITE_NO_TURN/, 'connectTimeout'],
  [/^SQLITE_(?:MISMATCH|RANGE)/, 'value']
]

/** One code stands for everything that is wrong in a statement; a file that cannot be opened has none. */
const messages: readonly (readonly [RegExp, Fault])[] = [
  [/unable to open/i, { kind: 'lost' }],
  [/no such table|no such column|has no column/, { kind: 'missing' }],
  [/operand|unmatched|unclosed|regexp|regular expression/i, { kind: 'pattern' }],
  [/JSON path|malformed JSON/, { kind: 'value' }]
]
