import { copyLayout } from './row-shape.ts'
import { currentLayout, type Table, toJson } from './table.ts'

/** An independent copy of a table. It records changes of its rows. */
export function copyTable(table: Table): Table {
  return {
    ...table,
    layout: copyLayout(currentLayout(table)),
    rows: [...table.rows],
    slots: new Map(table.slots),
    serials: [...table.serials],
    beforeChange: undefined,
    beforeStore: table.beforeStore && toJson,
    changes: []
  }
}

/** Keeps two copies from generating the same id or slot. */
export function shareCounters(one: Table, other: Table): void {
  for (const counter of ['nextNumber', 'nextSerial', 'additions'] as const)
    one[counter] = other[counter] = Math.max(one[counter], other[counter])
}
