/** A value that cannot be converted to the declared type. `kept` stays in the record until validation refuses it. */
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

/** A converted value in the form stored if nothing refuses it; null if it could not be converted. */
export const validOrNull = (value: unknown, otherwise: unknown = null): unknown =>
  value instanceof Unusable ? otherwise : value

/** Converts a value that is neither null nor undefined; returns `Unusable` if it cannot. */
export type Coercion = (raw: unknown) => unknown
