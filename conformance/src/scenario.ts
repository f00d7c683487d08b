/** An answer as it was recorded. `$any` and `$unordered` stand for what varies. */
export interface RecordedAnswer {
  readonly status: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly json?: unknown
  readonly text?: string
  readonly events?: readonly unknown[]
}

/** One request and its answer. */
export interface Step {
  readonly name?: string
  /** Milliseconds to wait before the request. */
  readonly wait?: number
  /** `read` waits for the oldest open stream's events instead of sending a request. */
  readonly events?: 'read'
  readonly request: {
    readonly method?: string
    /** Absent where events are read. */
    readonly path?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly json?: unknown
    readonly form?: Readonly<Record<string, string>>
    readonly body?: string
    readonly events?: number
  }
  /** Name → JSON pointer into the answer, or `header:NAME`. */
  readonly save?: Readonly<Record<string, string>>
  readonly headers?: readonly string[]
  readonly ignoreBody?: boolean
  readonly response: RecordedAnswer
  readonly better?: RecordedAnswer | readonly RecordedAnswer[]
}

/** One recorded conversation with a freshly started application. */
export interface Scenario {
  readonly title?: string
  readonly app: string
  readonly patch?: Readonly<Record<string, unknown>>
  readonly version?: 2 | 3
  readonly env?: string
  readonly bootFails?: boolean
  readonly steps: readonly Step[]
}
