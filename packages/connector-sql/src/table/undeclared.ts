import { sql } from '../sql.ts'
import { clonePlain, isPlainObject, setOwn, type PropertyType, type Row } from '@modelwire/core/connector'
import type { Column } from './column.ts'

/** The column of undeclared properties by default, without the model's `undeclaredColumn`. */
export const defaultUndeclaredColumn = '_undeclared'

/** What the column holds is not a property that callers could name. */
const property: PropertyType = {
  name: '',
  type: { kind: 'object' },
  id: false,
  generated: false,
  required: false,
  index: false,
  unique: false,
  definition: { type: 'object' }
}

/** The column that holds everything of a record but the `declared` properties, as one JSON object. */
export function undeclaredColumn(name: string, declared: ReadonlyMap<string, Column>): Column {
  return { property, name, kind: 'json', isText: false, mapping: {}, sql: sql.id(name), declared }
}

/** What a row has beyond its declared properties; undefined where that is nothing. */
export function undeclaredOf(declared: ReadonlyMap<string, unknown>, row: Row): Row | undefined {
  let rest: Row | undefined
  for (const name in row) {
    if (!declared.has(name) && row[name] !== undefined) setOwn((rest ??= {}), name, row[name])
  }
  return rest
}

/** Puts what the column of undeclared properties holds into a row. A property that is declared by now has its own column. */
export function addUndeclared(row: Row, held: unknown, declared: ReadonlyMap<string, unknown>): void {
  if (!isPlainObject(held)) return
  for (const name of Object.keys(held)) if (!declared.has(name)) setOwn(row, name, held[name])
}

/** A copy of a row's undeclared properties behind its declared ones. */
export function copyUndeclared(target: Row, source: Row, declared: ReadonlyMap<string, unknown>): void {
  addUndeclared(target, clonePlain(undeclaredOf(declared, source)), declared)
}
