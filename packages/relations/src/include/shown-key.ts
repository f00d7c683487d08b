import { keyText, type Row } from '@modelwire/core'
import type { IncludeTask } from './include-task.ts'

/**
 * The text of a row's key. LB3: a key that `fields` leaves out leads nowhere, pinned by relations/include-fields; elsewhere
 * it is read and not shown.
 */
export function shownKey({ relation, fields }: IncludeTask, row: Row): string | undefined {
  const { keyFrom, from } = relation
  if (from.registry.compat && fields !== undefined && !fields.has(keyFrom)) return undefined
  return keyText(row[keyFrom])
}
