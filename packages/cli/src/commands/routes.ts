import { methodString, type Operation } from '@modelwire/core/plugin'
import type { CallerLine, ReportLine } from '@modelwire/acl'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { CommandError } from '../errors.ts'
import { succeeded } from '../exit-codes.ts'
import { type AppOptions, type LoadedApp, withApp } from '../load-app.ts'
import { type Terminal, writeTable } from '../terminal.ts'
import { type DefineCommand, appOptions } from './command.ts'

/** One line of the listing. */
interface RouteLine {
  readonly verb: string
  readonly path: string
  /** `Product.find`; absent for routes that belong to no model. */
  readonly method?: string
  readonly accessType?: string
  /** Who may call it; absent if nothing is guarded. */
  readonly callers?: readonly CallerLine[]
}

/** The reports of access rules by method; empty where there is no access control. */
function reportsOf(server: FastifyInstance): ReadonlyMap<string, ReportLine> {
  const lines = server.hasDecorator('access') ? server.access.report() : []
  return new Map(lines.map((line) => [`${line.model}.${line.operation}`, line]))
}

const operationOf = ({ config }: RouteOptions): Operation | undefined => config?.operation

function describeRoute(route: RouteOptions, reports: ReadonlyMap<string, ReportLine>): RouteLine[] {
  const operation = operationOf(route)
  const method = operation && methodString(operation)
  const report = method === undefined ? undefined : reports.get(method)
  return [route.method].flat().map((verb) => ({
    verb,
    path: route.url,
    ...(method === undefined ? {} : { method }),
    ...(operation === undefined ? {} : { accessType: operation.accessType }),
    ...(report === undefined ? {} : { callers: report.callers })
  }))
}

/** The routes of an application, HEAD left out: GET answers it. */
function listRoutes({ server, routes }: LoadedApp): RouteLine[] {
  const reports = reportsOf(server)
  return routes
    .flatMap((route) => describeRoute(route, reports))
    .filter(({ verb }) => verb !== 'HEAD' && verb !== 'OPTIONS')
}

/** `everyone` or `no one` where every caller gets the same answer, or nothing is guarded; else who is allowed. */
function describeCallers(callers: readonly CallerLine[] | undefined): string {
  if (callers === undefined) return 'everyone'
  const answers = new Set(callers.map(({ answer }) => answer))
  if (answers.size === 1) return callers[0]?.answer === 'denied' ? 'no one' : 'everyone'
  return callers
    .filter(({ answer }) => answer !== 'denied')
    .map(({ caller, answer }) => (answer === 'allowed' ? caller : `${caller} (${answer})`))
    .join(', ')
}

function printRoutes(lines: readonly RouteLine[], { out, style }: Terminal): void {
  const rows = lines.map(({ verb, path, method = '', callers }) => [verb, path, method, describeCallers(callers)])
  const [head = '', ...texts] = writeTable([['VERB', 'PATH', 'METHOD', 'WHO MAY CALL'], ...rows])
  out(style('bold', head))
  for (const text of texts) out(text)
  out(style('dim', `${lines.length} routes`))
}

/** `modelwire routes <dir>`: lists the routes of an application. */
export const defineRoutes: DefineCommand = ({ command, terminal, finish }) => {
  appOptions(command)
    .description(
      'Starts the application without listening, and lists its routes: verb, path, method and who may call it.'
    )
    .option('--json', 'print one JSON array instead of a table')
    .option('--model <name>', 'only the routes of this model')
    .addHelpText('after', '\nExample:\n  $ modelwire routes . --model Product')
    .action(async (dir: string, options: AppOptions & { json?: boolean; model?: string }) => {
      const wanted = options.model
      const all = await withApp(dir, { ...options, connectors: 'optional', warn: terminal.err }, listRoutes)
      const lines = all.filter(({ method }) => wanted === undefined || method?.startsWith(`${wanted}.`))
      if (wanted !== undefined && lines.length === 0)
        throw new CommandError('NO_SUCH_MODEL', `unknown public model ${wanted}`, 1)
      if (options.json === true) terminal.out(JSON.stringify(lines, null, 2))
      else printRoutes(lines, terminal)
      finish(succeeded)
    })
}
