declare module 'pg/lib/query.js' {
  import type { EventEmitter } from 'node:events'
  import type { Connection } from 'pg'

  /** The driver's query class. When several queries are sent at once, only instances of it are accepted. */
  export default class Query extends EventEmitter {
    name: string
    readonly text: string
    /** Set by the driver, which wraps it if the query has a time limit. */
    callback: ((error: Error | null | undefined) => void) | undefined
    constructor(text: string)
    submit(connection: Connection): void
    handleRowDescription(message: object): void
    handleDataRow(message: object): void
    handleCommandComplete(message: object): void
    handleReadyForQuery(): void
    handleError(error: Error): void
  }
}

declare module 'pg/lib/utils.js' {
  /** The value as sent to the server: text, bytes, or null. */
  export const prepareValue: (value: unknown) => string | Buffer | null
}
