import type { Terminal } from '../terminal.ts'
import { count } from './agree.ts'
import type { FileStep } from './migration-file.ts'

/** Prints the steps of a migration, those that delete data with a `!`. */
export function printSteps(steps: readonly FileStep[], { out, style }: Terminal): void {
  for (const step of steps) {
    const mark = deletesData(step) ? style('red', '!') : style('green', '+')
    const [first = '', ...rest] = textOf(step).split('\n')
    out(`    ${mark} ${first}`)
    for (const line of rest) out(style('dim', `      ${line}`))
  }
}

/** The step deletes data, as its file says. */
function deletesData(step: FileStep): boolean {
  return typeof step === 'object' && 'losesData' in step
}

/** A question, with how many of the steps delete data. */
export function questionOn(question: string, steps: readonly FileStep[]): string {
  const lost = steps.filter(deletesData).length
  return lost === 0
    ? question
    : `${question} ${count(lost, 'step')}, marked !, ${lost === 1 ? 'deletes' : 'delete'} data.`
}

function textOf(step: FileStep): string {
  if (typeof step === 'string') return step
  if (typeof step === 'function') return `code${step.name === '' ? '' : `: ${step.name}`}`
  return 'missing' in step ? `not written yet: has to restore ${step.missing}` : step.statement
}
