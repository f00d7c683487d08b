import type { Outcome } from '../../diff/run-diff.ts'

/** Why the answers to a read were not compared. */
export type NotCompared = 'large' | 'busy' | 'sampled' | 'aborted' | 'changing' | 'unanswered'

/** What came of comparing the answers to one read. */
export type Verdict =
  | { readonly kind: 'equal' }
  | { readonly kind: 'different'; readonly outcome: Outcome }
  | { readonly kind: 'not compared'; readonly reason: NotCompared }

/** Answers that differed, without secrets. */
export interface Sample extends Outcome {
  readonly at: string
  readonly route: string
}

/** Latest differences that are kept of one route. */
const mostSamples = 5

/** What was seen of one route since the start. */
export class RouteEvidence {
  /** Requests that each side answered to clients. */
  readonly answered: { old: number; new: number } = { old: 0, new: 0 }
  equal = 0
  different = 0
  /** Equal answers since the last difference, and since the route last changed its owner. */
  equalInRow = 0
  /** Answers of Modelwire to clients that are server errors. */
  serverErrors = 0
  readonly notCompared: Record<NotCompared, number> = {
    large: 0,
    busy: 0,
    sampled: 0,
    aborted: 0,
    changing: 0,
    unanswered: 0
  }
  /** The latest first. */
  samples: readonly Sample[] = []

  /** Counts what came of one read. */
  add(verdict: Verdict): void {
    if (verdict.kind === 'not compared') this.notCompared[verdict.reason] += 1
    else if (verdict.kind === 'different') {
      this.different += 1
      this.equalInRow = 0
    } else {
      this.equal += 1
      this.equalInRow += 1
    }
  }

  /** Keeps a difference to be shown. */
  keep(sample: Sample): void {
    this.samples = [sample, ...this.samples].slice(0, mostSamples)
  }
}
