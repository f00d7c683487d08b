/** The part of a model's operation that `ops` reads. */
export interface NamedOperation {
  readonly name: string
  readonly model: { readonly name: string }
}

/** The operation of a route, from its config; undefined for routes that `rest` did not add. */
export const operationIn = (config: unknown): NamedOperation | undefined =>
  // `rest` puts it there.
  (config as { readonly operation?: NamedOperation } | undefined)?.operation
