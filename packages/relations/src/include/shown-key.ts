import type { Row } from '@modelwire/core/connector'
import { keyText } from '@modelwire/core/plugin'
import { distinctKeys } from './read-by-keys.ts'
import type { IncludeTask } from './include-task.ts'

/**
 * The text of a row's key. LB3: a key that `fields` leaves out leads nowhere, pinned by relations/include-fields; elsewhere
 * it is read and not shown.
 */
export function shownKey({ relation, fields }: IncludeTask, row: Row): string | undefined {
  const { keyFrom, from } = relation
  if (from.registry.rules.needsShownKeys && fields !== undefined && !fields.has(keyFrom)) return undefined
  return keyText(row[keyFrom])
}

/**
 * The keys by which related records are read, each once: one that leads nowhere reads nothing, and checks no access to
 * what it would find.
 */
export function shownKeys(task: IncludeTask): unknown[] {
  const shown = task.rows.filter((row) => shownKey(task, row) !== undefined)
  return distinctKeys(shown, task.relation.keyFrom)
}
