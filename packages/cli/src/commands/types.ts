import { type DescribedApi, modelDeclarations, modelTypes } from '@modelwire/explorer'
import { succeeded } from '../exit-codes.ts'
import { type AppOptions, withApp } from '../load-app.ts'
import { writeResult } from '../write-result.ts'
import { type DefineCommand, appOptions } from './command.ts'

const head = '// Made by "modelwire types". Changes are lost when it is made again.\n'

const wireTypes = (app: DescribedApi): string => `${head}\n${modelTypes(app, { for: 'clients' })}`

const codeTypes = (app: DescribedApi): string =>
  `${head}import type { ModelClass } from '@modelwire/core'\n\n${modelTypes(app)}\n${modelDeclarations(app)}`

/** `modelwire types <dir>`: TypeScript types of an application's models. */
export const defineTypes: DefineCommand = ({ command, terminal, finish }) => {
  appOptions(command)
    .description(
      'Writes an interface per model, from its JSON file and what scripts and mixins add to it, and types app.models of ' +
        '@modelwire/core. All data sources are in memory, so that no database is needed.'
    )
    .option('-o, --out <file>', 'write into a file')
    .option('--wire', 'records as clients see them: dates are texts, hidden properties are left out')
    .addHelpText('after', '\nExample:\n  $ modelwire types . -o models.d.ts')
    .action(async (dir: string, options: AppOptions & { out?: string; wire?: boolean }) => {
      const write = options.wire === true ? wireTypes : codeTypes
      const text = await withApp(dir, { ...options, connectors: 'memory', warn: terminal.err }, ({ server }) =>
        write(server)
      )
      await writeResult(text, options.out, terminal)
      finish(succeeded)
    })
}
