/** What became of one test of a suite. */
export interface TestOutcome {
  /** The titles of its suites and its own, as mocha joins them. */
  readonly title: string
  /** The message and stack of the error that it failed with. */
  readonly failure?: string
}

/** What became of one file of a suite. */
export interface FileOutcome {
  readonly passed: ReadonlySet<string>
  /** Messages by title. A hook that fails stands for the tests that it kept from running. */
  readonly failures: ReadonlyMap<string, string>
  /** Those that pass where nothing of the file ran before but what their suite sets up. */
  readonly alone?: ReadonlySet<string>
  /** The file has no such part. */
  readonly isMissing?: boolean
}
