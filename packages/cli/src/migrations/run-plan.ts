import { type DataSourcePlan, migrate, planMigration } from '@modelwire/core'
import type { MigrationStep } from '@modelwire/core/connector'
import type { Terminal } from '../terminal.ts'
import { agree, count } from './agree.ts'
import type { MigrationWork } from './migrate-options.ts'

const isDestructive = ({ destructive }: MigrationStep): boolean => destructive

function printPlan({ dataSource, steps, notes }: DataSourcePlan, { out, style }: Terminal): void {
  out(style('bold', `${dataSource}: ${steps.length === 0 ? 'nothing to do' : count(steps.length, 'step')}`))
  for (const step of steps) {
    const mark = isDestructive(step) ? style('red', '!') : style('green', '+')
    out(`  ${mark} ${step.description}`)
    out(style('dim', `      ${step.statement}`))
  }
  for (const note of notes) out(`  ${style('yellow', 'note')} ${note}`)
}

function questionOf(plans: readonly DataSourcePlan[]): string {
  const lost = plans.flatMap((plan) => plan.steps).filter(isDestructive).length
  if (lost === 0) return 'Run this plan?'
  return `Run this plan? ${count(lost, 'step')}, marked !, ${lost === 1 ? 'deletes' : 'delete'} data.`
}

/** Plans what the databases lack of the models, shows it, asks, and does it; without files of migrations. */
export async function runPlan(work: MigrationWork, dataSources: readonly string[] | undefined): Promise<void> {
  const { registry, options, terminal, lockTimeout } = work
  const { empty = false, prune = false, model: models } = options
  const scope = { empty, prune, dataSources, models }
  const plans = await planMigration(registry, scope)
  if (options.json === true) terminal.out(JSON.stringify(plans, null, 2))
  else for (const plan of plans) printPlan(plan, terminal)
  if (plans.length === 0) terminal.err('no data source has tables')
  const isShown = options.plan === true || options.dryRun === true
  if (isShown || plans.every(({ steps }) => steps.length === 0)) return
  await agree(questionOf(plans), options, terminal)
  const done = await migrate(registry, {
    ...scope,
    plans,
    lockTimeout,
    onStep: (step, { dataSource, position, total }) =>
      terminal.progress(`${dataSource} ${position}/${total} ${step.description}`)
  })
  terminal.progress('')
  terminal.err(
    `${count(
      done.reduce((sum, { steps }) => sum + steps.length, 0),
      'step'
    )} done`
  )
}
