import type { ColumnKind } from '../table/column-kind.ts'

const tests: Readonly<Record<ColumnKind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && !Number.isNaN(value),
  boolean: (value) => typeof value === 'boolean',
  date: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  binary: (value) => value instanceof Uint8Array,
  // Objects are only equal to themselves.
  point: () => false,
  json: () => false
}

/** A column of this kind can hold the value. A value that it cannot hold equals nothing in it. */
export function fitsKind(kind: ColumnKind, value: unknown): boolean {
  return tests[kind](value)
}
