import { openApiDocument, swaggerDocument } from '@modelwire/explorer'
import type { FastifyInstance } from 'fastify'
import { succeeded } from '../exit-codes.ts'
import { type AppOptions, withApp } from '../load-app.ts'
import { CommandError } from '../errors.ts'
import { writeResult } from '../write-result.ts'
import { type DefineCommand, appOptions } from './command.ts'

interface DocumentOptions extends AppOptions {
  readonly out?: string
  readonly swagger?: boolean
  readonly api?: string
}

/** @throws {CommandError} NO_SUCH_API: the application has no REST API there */
function documentOf(server: FastifyInstance, { api, swagger }: DocumentOptions): object {
  const { models } = server
  const mount = models.mounts.find(({ prefix }) => api === undefined || prefix === api)
  if (mount === undefined)
    throw new CommandError('NO_SUCH_API', `there is no REST API${api === undefined ? '' : ` at ${api}`}`)
  return swagger === true ? swaggerDocument(models, mount) : openApiDocument(server, api === undefined ? {} : { api })
}

/** `modelwire openapi <dir>`: the document of an application's API. */
export const defineOpenapi: DefineCommand = ({ command, terminal, finish }) => {
  appOptions(command)
    .description(
      'Describes every operation of an application by OpenAPI 3.1, for documentation and typed clients. Its boot scripts run; ' +
        'all data sources are in memory, so that no database is needed.'
    )
    .option('-o, --out <file>', 'write into a file')
    .option('--swagger', 'the Swagger 2 document that LoopBack gives')
    .option('--api <prefix>', 'which API, where there are several')
    .addHelpText(
      'after',
      '\nExample:\n  $ modelwire openapi . -o openapi.json && npx openapi-typescript openapi.json -o api.d.ts'
    )
    .action(async (dir: string, options: DocumentOptions) => {
      const document = await withApp(dir, { ...options, connectors: 'memory', warn: terminal.err }, ({ server }) =>
        documentOf(server, options)
      )
      await writeResult(`${JSON.stringify(document, null, 2)}\n`, options.out, terminal)
      finish(succeeded)
    })
}
