import { differentSteps, type DifferentStep } from './compare-steps.ts'
import { explainDifferences, type Explained } from './explain-mongodb.ts'
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

function addScenario(sums: Sums, { loopback, modelwire }: Both, explained: readonly Explained[]): void {
  sums.steps += loopback.steps
  sums.loopback += loopback.steps - loopback.failures.length
  sums.modelwire += modelwire.steps - modelwire.failures.length
  sums.alike += loopback.steps - explained.length
  for (const { cause = unexplained } of explained) sums.causes.set(cause, (sums.causes.get(cause) ?? 0) + 1)
}

/**
 * A line for each area and one for all; before them the steps that both answer differently, of the causes that are `listed` and of those
 * that are not explained.
 */
export function summariseAreas(results: readonly Both[], listed: readonly string[]): readonly string[] {
  const areas = new Map<string, Sums>()
  const shown: string[] = []
  for (const both of results) {
    const explained = explainDifferences(differentSteps(both.loopback, both.modelwire))
    for (const name of [both.loopback.area, all]) {
      const sums = areas.get(name) ?? emptySums()
      areas.set(name, sums)
      addScenario(sums, both, explained)
    }
    const wanted = explained.filter(({ cause = unexplained }) => [unexplained, ...listed].includes(cause))
    shown.push(...wanted.map(({ step, cause = unexplained }) => describeStep(step, cause)))
  }
  const lines = [...areas].filter(([name]) => name !== all).map(([name, sums]) => describeArea(name, sums))
  return [...shown, ...lines, describeArea(all, areas.get(all) ?? emptySums())]
}
