/** Where the keys of models and their values are. */
export interface KeyValueStore {
  /** null where the key has no value. */
  get(model: string, key: string): Promise<unknown>
  /** `ttl` is in milliseconds; undefined keeps the value until it is deleted. */
  set(model: string, key: string, value: unknown, ttl: number | undefined): Promise<void>
  /** False where the key has no value. */
  expire(model: string, key: string, ttl: number): Promise<boolean>
  /** Milliseconds; undefined where the value does not expire, null where there is none. */
  ttl(model: string, key: string): Promise<number | undefined | null>
  delete(model: string, key: string): Promise<void>
  deleteAll(model: string): Promise<void>
  /** The keys of a model, those that match a pattern alone: `*`, `?`, `[ab]`, `[^ab]`, `[a-z]`, and `\` before a literal character. */
  keys(model: string, match: string | undefined): AsyncIterable<string>
}
