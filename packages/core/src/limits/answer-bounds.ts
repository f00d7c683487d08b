/** The most that one call of a connector may give. What is beyond either bound is refused, and not read to its end. */
export interface AnswerBounds {
  /** Records; `Infinity` for any number of them. */
  readonly rows: number
  /**
   * Bytes of what the database gives: exact for a JSON text, and about right for rows, which databases send in forms of their
   * own; `Infinity` for any number of them. A connector that hands out rows which lie in the memory of the process anyway gives
   * no bytes.
   */
  readonly bytes: number
  /** The options that say so: the error names the one that raises the bound. */
  readonly options: { readonly rows: string; readonly bytes: string }
}
