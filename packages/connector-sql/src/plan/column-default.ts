import type { SqlDialect } from '../dialect/dialect.ts'
import type { Sql } from '../sql.ts'
import type { Column } from '../table/column.ts'

/** The values of existing records in a new column: a default of the column itself, or a value that is written into them. */
export interface ColumnDefault {
  readonly literal?: string | undefined
  readonly value?: Sql | undefined
}

/**
 * The default of a required property in a form that the database accepts; empty if there is none, or it differs for each
 * record.
 */
export function columnDefault(
  { schema }: Pick<SqlDialect, 'schema'>,
  { property, kind }: Column,
  type: string
): ColumnDefault {
  const { default: written, defaultFn } = property.definition
  if (defaultFn === 'now' || (kind === 'date' && written === '$now')) {
    if (kind !== 'date') return {}
    const literal = schema.now?.(type)
    return literal === undefined ? { value: schema.presentTime } : { literal }
  }
  const isMade = defaultFn !== undefined || written === undefined || written === null || typeof written === 'function'
  return isMade ? {} : { literal: schema.literal(kind, written) }
}
