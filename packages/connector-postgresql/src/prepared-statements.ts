import type { Prepared } from './prepared-query.ts'

/** The statement of this text on one connection; undefined for one that is not prepared. */
export type PreparedStatements = (text: string) => Prepared | undefined

/** Statements that one connection keeps prepared. The server keeps a plan for each until the connection ends. */
const keptStatements = 500

/** The statements of one connection. Those that change the schema, or end a transaction, are not prepared. */
export function createPreparedStatements(): PreparedStatements {
  const statements = new Map<string, Prepared>()
  return (text) => {
    const known = statements.get(text)
    if (known !== undefined) return known
    if (statements.size >= keptStatements || !/^(?:select|with|insert|update|delete)/.test(text)) return undefined
    const name = `modelwire_${statements.size}`
    const prepared: Prepared = { name, text, fields: undefined, isDescribed: false, reading: undefined }
    statements.set(text, prepared)
    return prepared
  }
}
