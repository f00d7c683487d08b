import { type Column, type ColumnKind, rowLayout, type SentReading, writeString } from '@modelwire/connector-sql'
import type { SentLayout } from '@modelwire/core/connector'
import { decode } from './mysql-dialect.ts'
import type { TimeZone } from './mysql-zone.ts'

type Write = (value: unknown) => string | undefined

const writers = ({ writeJson }: TimeZone): Readonly<Partial<Record<ColumnKind, Write>>> => ({
  text: (value) => (typeof value === 'string' ? writeString(value) : undefined),
  number: (value) => (typeof value === 'number' ? String(value) : undefined),
  date: (value) => (typeof value === 'string' ? writeJson(value) : undefined)
})

/** Makes the function that says how a column's values are read from what the driver gives, and written. */
export function readingIn(zone: TimeZone): (column: Pick<Column, 'kind'>) => SentReading {
  const writersOf = writers(zone)
  return ({ kind }) => ({ read: (value) => decode(zone, kind, value), write: writersOf[kind] })
}

/** Makes the function that gives the layout of rows with some columns, which is kept as long as these. */
export function createLayouts(zone: TimeZone): (columns: readonly Column[]) => SentLayout {
  const layouts = new WeakMap<readonly Column[], SentLayout>()
  const readingOf = readingIn(zone)
  return (columns) => {
    const cached = layouts.get(columns)
    if (cached !== undefined) return cached
    const layout = rowLayout(columns, readingOf)
    layouts.set(columns, layout)
    return layout
  }
}
