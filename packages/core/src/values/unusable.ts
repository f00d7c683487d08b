/** A value that cannot become the declared type. `kept` stays in the record until validation refuses it. */
export class Unusable {
  readonly kept: unknown
  readonly code: string
  readonly message: string
  constructor(kept: unknown, code: string, message: string) {
    this.kept = kept
    this.code = code
    this.message = message
  }
}

/** A converted value as it is stored where nothing refuses it; null where it could not be converted. */
export const usableOr = (value: unknown, otherwise: unknown = null): unknown =>
  value instanceof Unusable ? otherwise : value

/** Converts a value that is neither null nor undefined; gives `Unusable` where it cannot. */
export type Coercion = (raw: unknown) => unknown
