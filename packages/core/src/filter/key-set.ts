/** Keys that stand for a condition on related records: what was found is no list of a client. */
export class KeySet {
  readonly keys: readonly unknown[]
  constructor(keys: readonly unknown[]) {
    this.keys = keys
  }
}
