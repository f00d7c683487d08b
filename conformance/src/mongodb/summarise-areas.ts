import { differentSteps, type DifferentStep } from './compare-steps.ts'
import { explainDifferences } from './explain-mongodb.ts'
import type { Both } from './replay-both.ts'

/** The steps of an area, or of all. */
interface Sums {
  steps: number
  loopback: number
  modelwire: number
  alike: number
  readonly causes: Map<string, number>
}

/** The cause of differences that no rule explains. */
export const unexplained = 'unexplained'
const all = 'all areas'

const emptySums = (): Sums => ({ steps: 0, loopback: 0, modelwire: 0, alike: 0, causes: new Map() })

function describeStep({ file, loopback, modelwire }: DifferentStep, cause: string): string {
  const { step = '', exchange } = loopback ?? modelwire ?? {}
  const { method = 'GET', path = '' } = exchange?.request ?? {}
  const why = ['LoopBack', 'Modelwire'].map(
    (name, at) => `  ${name}: ${[loopback, modelwire][at]?.why ?? 'as recorded'}`
  )
  return [`${cause}: ${file}: ${step}`, `  ${method} ${path}`, ...why].join('\n')
}

function describeArea(area: string, { steps, loopback, modelwire, alike, causes }: Sums): string {
  const reasons = [...causes].map(([cause, number]) => `${number} ${cause}`)
  const differing = steps - alike
  return `${area}: ${steps} steps, as recorded: LoopBack ${loopback}, Modelwire ${modelwire}; ${differing} differ${differing > 0 ? `: ${reasons.join(', ')}` : ''}`
}

/**
 * A line for each area and one for all; before them the steps that both answer differently, of the causes that are `listed` and of those
 * that are not explained.
 */
export function summariseAreas(results: readonly Both[], listed: readonly string[]): readonly string[] {
  const areas = new Map<string, Sums>()
  const steps: string[] = []
  for (const { loopback, modelwire } of results) {
    const different = differentSteps(loopback, modelwire)
    const causes = explainDifferences(different)
    for (const name of [loopback.area, all]) {
      const sums = areas.get(name) ?? emptySums()
      areas.set(name, sums)
      sums.steps += loopback.steps
      sums.loopback += loopback.steps - loopback.failures.length
      sums.modelwire += modelwire.steps - modelwire.failures.length
      sums.alike += loopback.steps - different.filter(({ isAlike }) => !isAlike).length
      for (const { cause = unexplained } of causes) sums.causes.set(cause, (sums.causes.get(cause) ?? 0) + 1)
    }
    const shown = causes.filter(({ cause = unexplained }) => [unexplained, ...listed].includes(cause))
    steps.push(...shown.map(({ step, cause = unexplained }) => describeStep(step, cause)))
  }
  const lines = [...areas].filter(([name]) => name !== all).map(([name, sums]) => describeArea(name, sums))
  return [...steps, ...lines, describeArea(all, areas.get(all) ?? emptySums())]
}
