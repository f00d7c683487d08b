import type { RowsFunction } from '@modelwire/core'
import type { FieldNames } from '@modelwire/core/plugin'
import type { FieldsOf, RowsOf, Rule } from '../rules/rule.ts'

/** Which records a rule lets its callers see and change. */
export interface RowsLine {
  readonly by: 'owner' | 'path' | 'function'
  /** `$owner`, the relations that lead to the caller, or the function: its name, or its text where it has none. */
  readonly text: string
}

/** Which properties a rule lets its callers read and set, as it names them; absent: all. */
export interface FieldsLine {
  readonly read?: FieldNames
  readonly write?: FieldNames
}

/** A rule as reports show it. */
export interface RuleLine {
  /** `ALLOW $authenticated`; of what holds where no rule is about the caller: `DENY all others`. */
  readonly rule: string
  /** Absent: all records. */
  readonly rows?: RowsLine
  /** Absent: all properties. */
  readonly fields?: FieldsLine
}

const longestText = 80

/** A function in an object literal is named after its key. */
function functionText(rows: RowsFunction): string {
  if (rows.name !== '' && rows.name !== 'rows') return rows.name
  const text = String(rows).replaceAll(/\s+/g, ' ')
  return text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text
}

function rowsLine(rows: RowsOf): RowsLine {
  if (rows === '$owner') return { by: 'owner', text: rows }
  if (typeof rows === 'function') return { by: 'function', text: functionText(rows) }
  return { by: 'path', text: rows.path.join('.') }
}

const fieldsLine = ({ read, write }: FieldsOf): FieldsLine => ({
  ...(read !== undefined && { read }),
  ...(write !== undefined && { write })
})

/** The principal of a rule: `$authenticated`, `editor` or `USER 7`. */
export const principalText = ({ principalType, principalId }: Rule): string =>
  principalType === 'ROLE' ? String(principalId) : `${principalType} ${principalId}`

/** A rule as reports show it. */
export function ruleLine(rule: Rule): RuleLine {
  const { permission = 'ALLOW', rows, fields } = rule
  return {
    rule: `${permission} ${principalText(rule)}`,
    ...(rows !== undefined && { rows: rowsLine(rows) }),
    ...(fields !== undefined && { fields: fieldsLine(fields) })
  }
}

/** What holds where no rule is about the caller. */
export const otherwiseLine = (isAllowed: boolean): RuleLine => ({ rule: `${isAllowed ? 'ALLOW' : 'DENY'} all others` })
