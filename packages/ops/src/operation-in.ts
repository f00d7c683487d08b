/** What `ops` reads of an operation of a model. */
export interface NamedOperation {
  readonly name: string
  readonly model: { readonly name: string }
}

/** The operation that a route answers with, among its settings; undefined for routes that `rest` did not add. */
export const operationIn = (config: unknown): NamedOperation | undefined =>
  // `rest` puts it there.
  (config as { readonly operation?: NamedOperation } | undefined)?.operation
