import { createHash } from 'node:crypto'
import type { Prepared } from './prepared-query.ts'

/** The statement of this text on one connection; undefined for one that is not prepared. */
export type PreparedStatements = (text: string) => Prepared | undefined

/** Whether the connections of a pool prepare statements under names. */
export interface StatementNames {
  isOn: boolean
}

/** Statements that one connection keeps prepared. The server keeps a plan for each until the connection ends. */
const keptStatements = 500

/** The statements of one connection. Those that change the schema, or end a transaction, are not prepared. */
export function createPreparedStatements(names: StatementNames): PreparedStatements {
  const statements = new Map<string, Prepared>()
  return (text) => {
    if (!names.isOn) return undefined
    const cached = statements.get(text)
    if (cached !== undefined) return cached
    if (statements.size >= keptStatements || !/^(?:select|with|insert|update|delete)/.test(text)) return undefined
    const prepared = { ...unnamed(text), name: nameOf(text) }
    statements.set(text, prepared)
    return prepared
  }
}

/** A statement that the server forgets when it has run. */
export function unnamed(text: string): Prepared {
  return { name: '', text, fields: undefined, isDescribed: false, reading: undefined }
}

/**
 * One name for one text, across clients: a pooler may give a connection of the server to several clients, and what one
 * of them has prepared is executed for another that uses the name. The server infers the types of the parameters, the
 * same ones for the same text.
 */
function nameOf(text: string): string {
  return `modelwire_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`
}
