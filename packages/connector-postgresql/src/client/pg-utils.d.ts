declare module 'pg/lib/query.js' {
  import type { EventEmitter } from 'node:events'
  import type { Connection } from 'pg'

  /** A query of the driver. Where several are sent at once, it takes none but those of this class. */
  export default class Query extends EventEmitter {
    name: string
    readonly text: string
    /** Set by the driver, which wraps it where the query has a time limit. */
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
  /** The value as the server takes it: text, bytes, or null. */
  export const prepareValue: (value: unknown) => string | Buffer | null
}
