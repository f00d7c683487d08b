import { type DataSourcePlan, migrate, planMigration } from '@modelwire/core'
import type { MigrationStep } from '@modelwire/core/connector'
import { CommandError } from '../errors.ts'
import { succeeded } from '../exit-codes.ts'
import { type AppOptions, withApp } from '../load-app.ts'
import type { Terminal } from '../terminal.ts'
import { type AddCommand, appCommand } from './command.ts'

interface MigrateOptions extends AppOptions {
  readonly dataSource?: readonly string[]
  readonly model?: readonly string[]
  readonly empty?: boolean
  readonly prune?: boolean
  readonly yes?: boolean
  readonly plan?: boolean
  readonly json?: boolean
  readonly lockTimeout?: string
}

const isDestructive = ({ destructive }: MigrationStep): boolean => destructive

const count = (steps: number): string => `${steps} ${steps === 1 ? 'step' : 'steps'}`

function printPlan({ dataSource, steps, notes }: DataSourcePlan, { out, style }: Terminal): void {
  out(style('bold', `${dataSource}: ${steps.length === 0 ? 'nothing to do' : count(steps.length)}`))
  for (const step of steps) {
    const mark = isDestructive(step) ? style('red', '!') : style('green', '+')
    out(`  ${mark} ${step.description}`)
    out(style('dim', `      ${step.statement}`))
  }
  for (const note of notes) out(`  ${style('yellow', 'note')} ${note}`)
}

/** Asks before data may be lost; before anything on a terminal. @throws {CommandError} the plan was not confirmed */
async function agree(plans: readonly DataSourcePlan[], { yes }: MigrateOptions, terminal: Terminal): Promise<void> {
  if (yes === true) return
  const steps = plans.flatMap((plan) => plan.steps)
  if (!terminal.isInteractive)
    throw new CommandError(
      'NOT_CONFIRMED',
      'this is not a terminal, so the plan cannot be confirmed: add --yes to run it'
    )
  const lost = steps.filter(isDestructive).length
  const question =
    lost === 0
      ? 'Run this plan?'
      : `Run this plan? ${count(lost)}, marked !, ${lost === 1 ? 'deletes' : 'delete'} data.`
  if (!(await terminal.confirm(question))) throw new CommandError('NOT_CONFIRMED', 'nothing was changed', 1)
}

/** `modelwire migrate <dir>`: makes the tables of an application's models. */
export const addMigrate: AddCommand = ({ program, terminal, finish }) => {
  appCommand(program, 'migrate', 'make the tables of the models, after showing the plan')
    .description(
      'Shows what has to change so that the databases of an application fit its models, asks, and does it. Another process ' +
        'that migrates the same database waits meanwhile. Nothing is dropped unless --prune or --empty says so.'
    )
    .option('--plan', 'show the plan and change nothing')
    .option('--yes', 'run the plan without asking')
    .option('--prune', 'drop columns and unique indexes that no model has')
    .option('--empty', 'drop the tables first: all records are lost, as by automigrate of LoopBack')
    .option('--data-source <names...>', 'only these data sources')
    .option('--model <names...>', 'only these models')
    .option('--lock-timeout <ms>', 'how long to wait for other migrations, and for tables that are in use', '60000')
    .option('--json', 'print the plans as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ modelwire migrate . --plan\n  $ modelwire migrate . --yes   # in a deployment'
    )
    .action(async (dir: string, options: MigrateOptions) => {
      await withApp(dir, options, ({ server }) => run(server.models, options, terminal))
      finish(succeeded)
    })
}

async function run(
  registry: Parameters<typeof planMigration>[0],
  options: MigrateOptions,
  terminal: Terminal
): Promise<void> {
  const { empty = false, prune = false, dataSource: dataSources, model: models } = options
  const lockTimeout = Number(options.lockTimeout)
  if (!Number.isInteger(lockTimeout) || lockTimeout < 0)
    throw new CommandError('USAGE', `--lock-timeout is a number of milliseconds, not ${options.lockTimeout}`)
  const scope = { empty, prune, dataSources, models }
  const plans = await planMigration(registry, scope)
  if (options.json === true) terminal.out(JSON.stringify(plans, null, 2))
  else for (const plan of plans) printPlan(plan, terminal)
  if (plans.length === 0) terminal.err('no data source has tables')
  if (options.plan === true || plans.every(({ steps }) => steps.length === 0)) return
  await agree(plans, options, terminal)
  const done = await migrate(registry, {
    ...scope,
    plans,
    lockTimeout,
    onStep: (step, { dataSource, position, total }) =>
      terminal.progress(`${dataSource} ${position}/${total} ${step.description}`)
  })
  terminal.progress('')
  terminal.err(`${count(done.reduce((sum, { steps }) => sum + steps.length, 0))} done`)
}
