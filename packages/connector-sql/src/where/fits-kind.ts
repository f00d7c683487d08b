import { isDecimalText } from '@modelwire/core/connector'
import type { SqlDialect, Subject } from '../dialect.ts'
import type { ColumnKind } from '../table/column-kind.ts'
import { isStorableText } from '../values/is-storable.ts'

const tests: Readonly<Record<ColumnKind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && !Number.isNaN(value),
  // A number with more digits than the column has equals none in it.
  decimal: (value) => typeof value === 'string' && isDecimalText(value),
  boolean: (value) => typeof value === 'boolean',
  date: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  binary: (value) => value instanceof Uint8Array,
  // Objects are only equal to themselves.
  point: () => false,
  json: () => false
}

type TypeLimits = Pick<SqlDialect, 'holdsNul' | 'hasType'>

/** A column can hold the value. A value that it cannot hold equals nothing in it. */
export function fitsKind(
  dialect: TypeLimits,
  { kind, mapping }: Pick<Subject, 'kind' | 'mapping'>,
  value: unknown
): boolean {
  if (!tests[kind](value)) return false
  return typeof value !== 'string' || (isStorableText(dialect, value) && fitsType(dialect, mapping?.dataType, value))
}

function fitsType({ hasType }: TypeLimits, dataType: string | undefined, text: string): boolean {
  return hasType === undefined || dataType === undefined || hasType(dataType, text)
}
