import type { ReportLine } from '@modelwire/acl'
import { CommandError } from '../errors.ts'
import { succeeded } from '../exit-codes.ts'
import { type AppOptions, withApp } from '../load-app.ts'
import type { Terminal } from '../terminal.ts'
import { writeTable } from '../write-table.ts'
import { type AddCommand, appCommand } from './command.ts'

const marks = { allowed: 'yes', denied: 'no', 'some records': 'some' } as const

/** One block: a model with its operations as lines and its kinds of callers as columns. */
function printModel(name: string, lines: readonly ReportLine[], { out, style }: Terminal): void {
  const callers = [...new Set(lines.flatMap((line) => line.callers.map(({ caller }) => caller)))]
  const rows = lines.map((line) => [
    `  ${line.operation}`,
    line.endpoints[0] ?? '',
    ...callers.map((caller) => {
      // A kind that the rules of one operation do not name is told by the kind that it is part of.
      const found = line.callers.find((each) => each.caller === caller)
      const general = line.callers.find((each) => each.caller === '$authenticated')
      return marks[(found ?? general)?.answer ?? 'denied']
    })
  ])
  const [head = '', ...texts] = writeTable([[name, '', ...callers], ...rows])
  out(style('bold', head))
  for (const text of texts) out(text)
  out('')
}

/** Every decision with the rule behind it. */
function printRules(lines: readonly ReportLine[], { out, style }: Terminal): void {
  for (const { model, operation, callers } of lines) {
    out(style('bold', `${model}.${operation}`))
    for (const text of writeTable(callers.map(({ caller, answer, rule }) => [`  ${caller}`, answer, rule]))) out(text)
  }
}

function byModel(lines: readonly ReportLine[]): ReadonlyMap<string, ReportLine[]> {
  const models = new Map<string, ReportLine[]>()
  for (const line of lines) models.set(line.model, [...(models.get(line.model) ?? []), line])
  return models
}

/** `modelwire access <dir>`: who can reach what. */
export const addAccess: AddCommand = ({ program, terminal, finish }) => {
  appCommand(program, 'access', 'show who may call what, and by which rule')
    .description(
      'Starts the application without listening, and shows for every operation what its access rules come to for each kind ' +
        'of caller: yes, no, or some (records: the own ones, or those that a function of the rule names). Rules stored in the database may say more.'
    )
    .option('--model <name>', 'only the operations of this model')
    .option('--rules', 'name the rule that decides for each caller')
    .option('--json', 'one JSON array instead of tables')
    .addHelpText('after', '\nExample:\n  $ modelwire access . --model Order --rules')
    .action(async (dir: string, options: AppOptions & { json?: boolean; model?: string; rules?: boolean }) => {
      const all = await withApp(dir, options, ({ server }) => server.access.report())
      const lines = all.filter(({ model }) => options.model === undefined || model === options.model)
      if (options.model !== undefined && lines.length === 0)
        throw new CommandError('NO_SUCH_MODEL', `no public model is named ${options.model}`)
      if (options.json === true) terminal.out(JSON.stringify(lines, null, 2))
      else if (options.rules === true) printRules(lines, terminal)
      else for (const [model, its] of byModel(lines)) printModel(model, its, terminal)
      finish(succeeded)
    })
}
