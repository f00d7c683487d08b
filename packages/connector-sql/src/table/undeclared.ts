import { sql } from '../sql.ts'
import type { PropertyType, Row } from '@modelwire/core/connector'
import { clonePlain, isPlainObject, setOwn } from '@modelwire/server'
import type { Column } from './column.ts'

/** The default column of undeclared properties, without the model's `undeclaredColumn`. */
export const defaultUndeclaredColumn = '_undeclared'

/** What the column holds is not a property that callers could name. */
const property: PropertyType = {
  name: '',
  type: { kind: 'object' },
  id: false,
  generated: false,
  required: false,
  nullable: true,
  index: false,
  unique: false,
  definition: { type: 'object' }
}

/** The column that stores everything in a record except the `declared` properties, as one JSON object. */
export function undeclaredColumn(name: string, declared: ReadonlyMap<string, Column>): Column {
  return { property, name, kind: 'json', isText: false, mapping: {}, sql: sql.id(name), declared }
}

/** The undeclared properties of a row; undefined if there are none. */
export function undeclaredOf(declared: ReadonlyMap<string, unknown>, row: Row): Row | undefined {
  let rest: Row | undefined
  for (const name in row) {
    if (!declared.has(name) && row[name] !== undefined) setOwn((rest ??= {}), name, row[name])
  }
  return rest
}

/**
 * Adds the values of the column of undeclared properties to a row. A property that has since been declared has its own
 * column.
 */
export function addUndeclared(row: Row, held: unknown, declared: ReadonlyMap<string, unknown>): void {
  if (!isPlainObject(held)) return
  for (const name of Object.keys(held)) if (!declared.has(name)) setOwn(row, name, held[name])
}

/** Copies a row's undeclared properties after its declared ones. */
export function copyUndeclared(target: Row, source: Row, declared: ReadonlyMap<string, unknown>): void {
  addUndeclared(target, clonePlain(undeclaredOf(declared, source)), declared)
}
