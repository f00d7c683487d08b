/** One middleware of `middleware.json` that is not switched off. */
export interface MiddlewareEntry {
  /** As written: `cors`, `helmet#frameguard`, `./middleware/log`. */
  readonly name: string
  /** `initial:before` and the like. */
  readonly phase: string
  /** The first parameter, or the only one. */
  readonly params: unknown
  /** Those that follow it, where the file has a list. */
  readonly moreParams: readonly unknown[]
  /** Where it applies; empty for everywhere. */
  readonly paths: readonly string[]
  readonly methods: readonly string[]
  /** A module that is missing is left out. */
  readonly optional: boolean
  readonly file: string
  readonly key: string
}
