import type { TestKind, TestOf } from '../contract/comparison.ts'

/** A function for each kind of test. A table that forgets one does not compile. */
export type PerTest<K extends TestKind, Args extends readonly unknown[], R> = {
  readonly [P in K]: (test: TestOf<P>, ...args: Args) => R
}

/** The function that calls the entry of a test's kind. */
export function perTest<K extends TestKind, Args extends readonly unknown[], R>(
  table: PerTest<K, Args, R>
): (test: TestOf<K>, ...args: Args) => R {
  return (test, ...args) => table[test.test](test, ...args)
}
