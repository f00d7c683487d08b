import { createServer, type ServerOptions } from '@modelwire/boot'
import { inMemoryLike } from '@modelwire/boot/in-memory'
import { type Awaitable, withConnectors, withoutListening } from '@modelwire/core/plugin'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { CommandError } from './errors.ts'
import { folderOf } from './folder-of.ts'
import { findBuildServer, mountedRoutes, startProject } from './load-project.ts'

/** The options of every command that reads an application. */
export interface AppOptions {
  readonly env?: string
  readonly loopback?: string
}

/** The options of `boot` that the command line gives. @throws {CommandError} USAGE: a value is none of those possible */
export function bootOptions(dir: string, { env, loopback }: AppOptions): ServerOptions {
  if (loopback !== undefined && loopback !== '2' && loopback !== '3')
    throw new CommandError('USAGE', `--loopback is 2 or 3, not ${loopback}`)
  return {
    dir,
    // The command brings connectors along.
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

/** How an application is loaded: `connectors` are used in place of those that it names; a project has memory in their place. */
export interface LoadOptions extends AppOptions, Pick<ServerOptions, 'connectors'> {}

async function loadApp(dir: string, { connectors, ...options }: LoadOptions): Promise<LoadedApp> {
  const folder = await folderOf(dir)
  const build = await findBuildServer(folder)
  if (build !== undefined) {
    const start = async (): Promise<FastifyInstance> => startProject(build, { logger: false })
    const server = await (connectors === undefined ? start() : withConnectors((_name, own) => inMemoryLike(own), start))
    return { server, routes: mountedRoutes(server) }
  }
  const routes: RouteOptions[] = []
  const server = await createServer({
    ...bootOptions(folder, options),
    ...(connectors && { connectors }),
    logger: false,
    setUp: (app) => void app.addHook('onRoute', (route) => void routes.push(route))
  })
  return { server, routes }
}

/**
 * Does `work` with an application folder, or a project whose package.json names its server, that is started without
 * listening, and closes it, whatever came of the work. The boot scripts of the application run and its data sources
 * connect.
 * @throws {DefinitionError} the application is invalid; the subclass names the reason
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
