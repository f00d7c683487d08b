/** The name under which a statement is prepared on one connection; undefined for one that is not kept. */
export type StatementNames = (statement: string) => string | undefined

/** Statements that one connection keeps prepared. The server keeps a plan for each until the connection ends. */
const keptStatements = 500

/** Names for the statements of one connection. Those that change the schema, or end a transaction, have none. */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  return (statement) => {
    const known = names.get(statement)
    if (known !== undefined) return known
    if (names.size >= keptStatements || !/^(?:select|insert|update|delete)/.test(statement)) return undefined
    const name = `modelwire_${names.size}`
    names.set(statement, name)
    return name
  }
}
