/** The most that one call of a connector may give. What is beyond either bound is refused, and not read to its end. */
export interface AnswerBounds {
  /** Records; `Infinity` for any number of them. */
  readonly rows: number
  /**
   * Bytes of the database's result: exact for a JSON text, and about right for rows, which databases send in forms of
   * their own; `Infinity` for any number of them. A connector that returns rows which are in the memory of the process
   * anyway reports no bytes.
   */
  readonly bytes: number
  /** The options that set the bounds: the error names the one to raise. */
  readonly options: { readonly rows: string; readonly bytes: string }
}
