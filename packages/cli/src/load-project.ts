import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Awaitable, isPlainObject } from '@modelwire/server'
import type { FastifyInstance, FastifyServerOptions, RouteOptions } from 'fastify'
import { CommandError } from './errors.ts'

/** Creates the server of a project. */
export type BuildServer = (options: FastifyServerOptions) => Awaitable<FastifyInstance>

/** An application needs no package.json. That its folder is none is reported where that is opened. */
async function textOf(file: string): Promise<string> {
  try {
    const found = await stat(file)
    // A pipe or a device may never end.
    if (!found.isFile() && !found.isDirectory()) return '{}'
    return await readFile(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return '{}'
    throw new CommandError('PROJECT_INVALID', `${file} cannot be read: ${String(error)}`)
  }
}

/**
 * The package.json of a folder; empty if it has none.
 * @throws {CommandError} PROJECT_INVALID: it is not JSON
 */
export async function manifestOf(dir: string): Promise<Readonly<Record<string, unknown>>> {
  const file = join(dir, 'package.json')
  const text = await textOf(file)
  try {
    const manifest: unknown = JSON.parse(text)
    return isPlainObject(manifest) ? manifest : {}
  } catch (error) {
    throw new CommandError('PROJECT_INVALID', `${file} is not JSON: ${String(error)}`)
  }
}

/**
 * The function that creates the server of a project: `buildServer`, or the default export, of the module named by
 * `modelwire.server` in its package.json. Undefined if none is named: the folder is a LoopBack application.
 * @throws {CommandError} PROJECT_NOT_BUILT: the module is not there; PROJECT_INVALID: it exports no such function
 */
export async function findBuildServer(dir: string): Promise<BuildServer | undefined> {
  const { modelwire } = await manifestOf(dir)
  const server = isPlainObject(modelwire) ? modelwire['server'] : undefined
  if (typeof server !== 'string') return undefined
  const path = join(dir, server)
  const found = await stat(path).catch(() => undefined)
  if (found === undefined)
    throw new CommandError('PROJECT_NOT_BUILT', `${path} does not exist: build the project first, with npm run build`)
  const exported: unknown = await import(pathToFileURL(path).href)
  const { buildServer, default: other } = Object(exported) as { buildServer?: unknown; default?: unknown } // a module is an object
  const build = buildServer ?? other
  if (typeof build !== 'function')
    throw new CommandError('PROJECT_INVALID', `${path} exports neither buildServer nor a default function`)
  return build as BuildServer // the convention of projects
}

/** The routes of operations, as the server serves them. */
export const mountedRoutes = ({ models }: FastifyInstance): RouteOptions[] =>
  models.mounts.flatMap(({ prefix, routes }) =>
    routes.map(({ verb, path, operation }) => ({
      method: verb,
      url: prefix + path,
      config: { operation },
      handler: () => undefined
    }))
  )

/**
 * Creates the server and waits until it is ready.
 * @throws {CommandError} PROJECT_INVALID: it has no models
 */
export async function startProject(build: BuildServer, options: FastifyServerOptions): Promise<FastifyInstance> {
  const server = await build(options)
  await server.ready()
  if (server.hasDecorator('models')) return server
  await server.close()
  throw new CommandError('PROJECT_INVALID', 'the server has no models: register modelwire on it')
}
