import type { ReportLine } from '@modelwire/acl'
import type { FastifyInstance } from 'fastify'
import { printModel, printRules } from '../access/print-access.ts'
import { CommandError } from '../errors.ts'
import { succeeded } from '../exit-codes.ts'
import { type AppOptions, withApp } from '../load-app.ts'
import { type DefineCommand, appOptions } from './command.ts'

function byModel(lines: readonly ReportLine[]): ReadonlyMap<string, ReportLine[]> {
  const models = new Map<string, ReportLine[]>()
  for (const line of lines) models.set(line.model, [...(models.get(line.model) ?? []), line])
  return models
}

/** @throws {CommandError} NO_ACCESS_CONTROL: nothing is guarded */
function reportOf(server: FastifyInstance): readonly ReportLine[] {
  const lines = server.hasDecorator('access') ? server.access.report() : []
  if (lines.length > 0) return lines
  throw new CommandError(
    'NO_ACCESS_CONTROL',
    'the application has no access control: anonymous clients may call every public operation. ' +
      'Register @modelwire/acl, or call app.enableAuth() in a boot script of an application folder',
    1
  )
}

/** `modelwire access <dir>`: who can reach what. */
export const defineAccess: DefineCommand = ({ command, terminal, finish }) => {
  appOptions(command)
    .description(
      'Starts the application without listening, and shows for every operation what its access rules come to for each kind ' +
        'of caller: yes, no, or some records. Notes say which records, and which properties can be read and set. Rules stored in ' +
        'the database may say more.'
    )
    .option('--model <name>', 'only the operations of this model')
    .option('--rules', 'name the rule that decides for each caller')
    .option('--json', 'one JSON array instead of tables')
    .addHelpText('after', '\nExample:\n  $ modelwire access . --model Order --rules')
    .action(async (dir: string, options: AppOptions & { json?: boolean; model?: string; rules?: boolean }) => {
      const all = await withApp(dir, { ...options, connectors: 'optional', warn: terminal.err }, ({ server }) =>
        reportOf(server)
      )
      const lines = all.filter(({ model }) => options.model === undefined || model === options.model)
      if (options.model !== undefined && lines.length === 0)
        throw new CommandError('NO_SUCH_MODEL', `no public model is named ${options.model}`)
      if (options.json === true) terminal.out(JSON.stringify(lines, null, 2))
      else if (options.rules === true) printRules(lines, terminal)
      else for (const [model, its] of byModel(lines)) printModel(model, its, terminal)
      finish(succeeded)
    })
}
