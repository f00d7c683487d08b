import { toJson } from '../file/change-lines.ts'
import { copyLayout } from './layout.ts'
import { currentLayout, type Table } from './table.ts'

/** A table with the same rows that goes its own way from here on. It notes what happens to its rows. */
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

/** What has been handed out in one of two copies is handed out in neither of them again. */
export function shareCounters(one: Table, other: Table): void {
  for (const counter of ['nextNumber', 'nextSerial', 'additions'] as const)
    one[counter] = other[counter] = Math.max(one[counter], other[counter])
}
