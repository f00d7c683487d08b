import type { Difference } from '../../diff/compare.ts'
import { groupOutcomes } from '../../diff/group-outcomes.ts'
import type { Outcome } from '../../diff/run-diff.ts'

/** Why the responses to a read were not compared. */
export type NotCompared = 'large' | 'busy' | 'sampled' | 'aborted' | 'changing' | 'unanswered'

/** The result of comparing the responses to one read. */
export type Verdict =
  | { readonly kind: 'equal' }
  | { readonly kind: 'different'; readonly outcome: Outcome }
  | { readonly kind: 'not compared'; readonly reason: NotCompared }

/** Differing responses, without secrets. */
export interface Sample extends Outcome {
  readonly at: string
  readonly route: string
}

/** One way in which the responses of a route differ. */
export interface DifferenceKind {
  readonly kind: Difference['kind']
  /** The place, with `*` for any item of a list. */
  readonly where: string
  /** Requests that differed in this way. */
  requests: number
  /** The latest of them. */
  example: Sample
}

/** Latest differences that are kept of one route. */
const mostSamples = 5
/** Ways to differ that are distinguished for one route. */
const mostKinds = 50

/** The evidence for one route since startup. */
export class RouteEvidence {
  /** Requests that each side answered to clients. */
  readonly answered: { old: number; new: number } = { old: 0, new: 0 }
  equal = 0
  different = 0
  /** Equal responses since the last difference, and since the route last changed its owner. */
  equalInRow = 0
  /** Server errors that Modelwire returned to clients. */
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
  readonly #kinds = new Map<string, DifferenceKind>()

  /** The differences since startup, the most frequent first. */
  get kinds(): readonly DifferenceKind[] {
    return [...this.#kinds.values()].toSorted((one, other) => other.requests - one.requests)
  }

  /** Counts the result of one read. */
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

  /** Keeps a difference for display. */
  keep(sample: Sample): void {
    this.samples = [sample, ...this.samples].slice(0, mostSamples)
    for (const { kind, where } of groupOutcomes([sample], []).flatMap(({ groups }) => groups)) {
      const key = `${kind} ${where}`
      const cached = this.#kinds.get(key)
      if (cached !== undefined) Object.assign(cached, { requests: cached.requests + 1, example: sample })
      else if (this.#kinds.size < mostKinds) this.#kinds.set(key, { kind, where, requests: 1, example: sample })
    }
  }
}
