import { type SentColumn, SentLayout } from '@modelwire/core/connector'
import type { Column } from '../table/column.ts'
import { addUndeclared } from '../table/undeclared.ts'

/** How the values of a column are read from what the driver sends, and written as JSON without being read. */
export type SentReading = Pick<SentColumn, 'read' | 'write'>

/** The layout of the rows of a statement that selects these columns, in their order. */
export function rowLayout(
  columns: readonly Column[],
  readingOf: (column: Column, at: number) => SentReading
): SentLayout {
  const sentColumns = columns.map((column, at): SentColumn => {
    const { property, declared } = column
    const { read, write } = readingOf(column, at)
    if (declared === undefined) return { name: property.name, read, write }
    return { name: property.name, read, addTo: (row, value) => addUndeclared(row, read(value), declared) }
  })
  return new SentLayout(sentColumns)
}
