import type { DifferentStep } from './compare-steps.ts'

/** A step that both answer differently, and why. */
export interface Explained {
  readonly step: DifferentStep
  readonly cause?: string
}

/** The causes of a scenario's steps that both answer differently. */
export function explainDifferences(steps: readonly DifferentStep[]): readonly Explained[] {
  return steps.filter(({ isAlike }) => !isAlike).map((step) => ({ step }))
}
