/** Called with what happens to a connection outside of calls. */
export interface ConnectionWatcher {
  /** An error that no call rejects with. */
  readonly error: (error: unknown) => void
  /** The connection ended by itself. */
  readonly lost: () => void
  /** A connection that ended by itself is there again. */
  readonly restored: () => void
}
