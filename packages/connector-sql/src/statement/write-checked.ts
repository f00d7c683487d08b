import { ValueRefused } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect.ts'
import { type Sql, type Statement, writeStatement } from '../sql.ts'
import { isStorableText } from '../values/is-storable.ts'

/**
 * The whole statement, whose texts reach the database as they are.
 * @throws {ValueRefused} the database cannot hold a text in it: the driver would change it, or end the process
 */
export function writeChecked(dialect: SqlDialect, statement: Sql): Statement {
  const written = writeStatement(dialect.notation, statement)
  for (const parameter of written.parameters) checkParameter(dialect, parameter)
  return written
}

function checkParameter(dialect: SqlDialect, parameter: unknown): void {
  if (Array.isArray(parameter)) for (const item of parameter) checkParameter(dialect, item)
  else if (typeof parameter === 'string' && !isStorableText(dialect, parameter))
    throw new ValueRefused('the database cannot store a string: it is not well-formed Unicode, or contains U+0000')
}
