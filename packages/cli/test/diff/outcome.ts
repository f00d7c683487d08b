import type { Difference } from '#src/diff/compare.ts'
import type { Outcome } from '#src/diff/run-diff.ts'

/** What came of a request for `path`. */
export function outcome(path: string, differences: readonly Difference[]): Outcome {
  const answer = { status: 200, headers: {}, text: '[]' }
  return { request: { method: 'GET', path, headers: {} }, old: answer, new: answer, differences }
}
