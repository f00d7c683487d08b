import type { Row } from '@modelwire/core/connector'

/**
 * Makes rows of one form: all declared properties in declared order, undefined where `row` has none, then what else it
 * has. V8 reads rows of one form several times faster than rows whose properties were added in different orders.
 */
export type ShapeRow = (row: Row) => Row

/** Compiles the function that gives rows the form of a model with the properties `names`. */
export function compileRowShape(names: readonly string[]): ShapeRow {
  // Names come from model definitions and get into the code only as the text that JSON.stringify makes of them.
  // oxlint-disable-next-line no-implied-eval
  const makeDeclared = new Function('row', `return {${names.map(writeProperty).join(', ')}}`) as ShapeRow
  const declared: ReadonlySet<string> = new Set(names)
  return (row) => {
    const shaped = makeDeclared(row)
    for (const name of Object.keys(row))
      if (!declared.has(name) && row[name] !== undefined) setOwn(shaped, name, row[name])
    return shaped
  }
}

function writeProperty(name: string): string {
  const key = JSON.stringify(name)
  // A declared name that every object inherits, such as toString, counts only where the row has it itself.
  const value = name in Object.prototype ? `Object.hasOwn(row, ${key}) ? row[${key}] : undefined` : `row[${key}]`
  // In brackets even __proto__ is a property like any other; elsewhere they would cost V8's quick way of making objects.
  return name === '__proto__' ? `[${key}]: ${value}` : `${key}: ${value}`
}

/** Sets an own property of any name. */
export function setOwn(row: Row, name: string, value: unknown): void {
  if (name !== '__proto__') row[name] = value
  else Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true })
}
