/** A row as the driver returns it. */
export type RawRow = Readonly<Record<string, unknown>>

/** What a statement came to. */
export interface StatementResult {
  readonly rows: readonly RawRow[]
  /** Rows that it changed; undefined where the driver does not report it. */
  readonly numAffectedRows?: bigint | undefined
  /** Rows that have other values than before; undefined where the driver does not report it. */
  readonly numChangedRows?: bigint | undefined
  readonly insertId?: bigint | undefined
}
