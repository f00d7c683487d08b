import type { Note, ServerOptions } from '@modelwire/boot'
import { withConnectors } from '@modelwire/core/plugin'
import { type Awaitable, withoutListening } from '@modelwire/server'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { CommandError } from './errors.ts'
import { type BuildServer, findBuildServer, mountedRoutes, startProject } from './load-project.ts'
import type { Terminal } from './terminal.ts'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'

/** The options of every command that reads an application. */
export interface AppOptions {
  readonly env?: string
  readonly loopback?: string
}

/**
 * The options of `boot` from the command line.
 * @throws {CommandError} USAGE: a value is none of those possible
 */
export function bootOptions(dir: string, { env, loopback }: AppOptions): ServerOptions {
  if (loopback !== undefined && loopback !== '2' && loopback !== '3')
    throw new CommandError('USAGE', `--loopback must be 2 or 3, not ${loopback}`)
  return {
    dir,
    // Connectors may be installed beside the command, such as globally.
    packageFolders: [import.meta.dirname],
    ...(env === undefined ? {} : { env }),
    ...(loopback === undefined ? {} : { version: loopback === '2' ? 2 : 3 })
  }
}

/** An application that was started without listening, and its routes. */
export interface LoadedApp {
  readonly server: FastifyInstance
  readonly routes: readonly RouteOptions[]
}

/** How an application is loaded. */
export interface LoadOptions extends AppOptions {
  /**
   * `required`: refuse if a Modelwire connector is not installed. `optional`: report it. `memory`: use memory for all data
   * sources.
   */
  readonly connectors: 'required' | 'optional' | 'memory'
  /** Prints a warning. */
  readonly warn: Terminal['err']
}

async function loadApp(dir: string, options: LoadOptions): Promise<LoadedApp> {
  const folder = await folderOf(dir)
  const build = await findBuildServer(folder)
  return build === undefined ? loadFolder(folder, options) : loadProject(build, options)
}

async function loadProject(build: BuildServer, { connectors }: LoadOptions): Promise<LoadedApp> {
  const start = async (): Promise<FastifyInstance> => startProject(build, { logger: false })
  const server = await (connectors === 'memory' ? startInMemory(start) : start())
  return { server, routes: mountedRoutes(server) }
}

async function startInMemory(start: () => Promise<FastifyInstance>): Promise<FastifyInstance> {
  const { inMemoryLike } = await import('@modelwire/boot/in-memory')
  return withConnectors((_name, own) => inMemoryLike(own), start)
}

async function loadFolder(folder: string, { connectors, warn, ...options }: LoadOptions): Promise<LoadedApp> {
  const { createServer, formatNote } = await import('@modelwire/boot')
  const routes: RouteOptions[] = []
  const server = await createServer({
    ...bootOptions(folder, options),
    ...(connectors === 'memory' && { connectors: (await import('@modelwire/boot/in-memory')).inMemory }),
    requireConnectors: connectors === 'required',
    logger: false,
    setUp: (app) => void app.addHook('onRoute', (route) => void routes.push(route))
  })
  const isOfInterest = ({ level }: Note): boolean => connectors === 'required' || level !== 'info'
  for (const note of server.bootReport.notes)
    if (note.missingPackage !== undefined && isOfInterest(note)) warn(`modelwire: ${formatNote(note)}`)
  return { server, routes }
}

/**
 * Calls `work` with an application folder, or a project whose package.json names its server, started without listening, and
 * always closes it afterwards. The boot scripts of the application run and its data sources connect.
 * @throws {DefinitionError} the application is invalid; the subclass names the reason; CONNECTOR_NOT_INSTALLED: a connector that
 * is required is not installed
 */
export async function withApp<Result>(
  dir: string,
  options: LoadOptions,
  work: (app: LoadedApp) => Awaitable<Result>
): Promise<Result> {
  const app = await withoutListening(async () => loadApp(dir, options))
  try {
    return await work(app)
  } finally {
    await app.server.close()
  }
}

/** @throws {CommandError} NO_SUCH_FOLDER: there is no such folder */
export async function folderOf(dir: string): Promise<string> {
  const path = resolve(dir)
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() !== true) throw new CommandError('NO_SUCH_FOLDER', `${path} is not a folder`)
  return path
}
