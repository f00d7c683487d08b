import { createServer, inMemory } from '@modelwire/boot'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import { bootOptions, folderOf } from '../load-app.ts'
import { findBuildServer } from '../load-project.ts'
import { TestAppInvalid } from './errors.ts'
import type { BuildTestServer, TestedApp, TestServerOptions } from './options.ts'

/** A server that is ready. */
export interface StartedApp {
  readonly server: FastifyInstance
  /** The folder of the application, else the working directory. */
  readonly dir: string
  /** It is an application folder of LoopBack. */
  readonly isFolder: boolean
}

const wrapped = Symbol.for('skip-override')

/** Plugins take the server and options, or are marked by `fastify-plugin`. */
const isPlugin = (app: BuildTestServer | FastifyPluginAsync): app is FastifyPluginAsync =>
  app.length >= 2 || Reflect.get(app, wrapped) === true

async function startFolder(dir: string, options: TestServerOptions): Promise<FastifyInstance> {
  const { dataSources = 'memory', environment, fastify, boot } = options
  return createServer({
    ...bootOptions(dir, environment === undefined ? {} : { env: environment }),
    logger: false,
    ...(fastify && { fastify }),
    // Connectors need not even be installed.
    ...(dataSources === 'memory' && { connectors: inMemory }),
    ...boot
  })
}

async function startFunction(
  app: BuildTestServer | FastifyPluginAsync,
  options: TestServerOptions
): Promise<FastifyInstance> {
  const settings = { logger: false, ...options.fastify }
  const server: unknown = isPlugin(app) ? await serverWith(app, settings) : await app(settings)
  if (!isServer(server))
    throw new TestAppInvalid('the function makes no Fastify server: return it, or pass a plugin made by fastify-plugin')
  await server.ready()
  if (server.hasDecorator('models')) return server
  await server.close()
  throw new TestAppInvalid('the server has no models: register modelwire on it')
}

async function serverWith(plugin: FastifyPluginAsync, settings: object): Promise<FastifyInstance> {
  const server = Fastify(settings)
  await server.register(plugin)
  return server
}

const isServer = (value: unknown): value is FastifyInstance =>
  typeof value === 'object' && value !== null && 'inject' in value && 'hasDecorator' in value

/**
 * Starts an application without listening.
 * @throws {TestAppInvalid} it is no server with models
 * @throws {CommandError} there is no such folder, or its project is not built
 * @throws {DefinitionError} the application is invalid
 */
export async function startApp(app: TestedApp, options: TestServerOptions): Promise<StartedApp> {
  if (typeof app !== 'string') return { server: await startFunction(app, options), dir: process.cwd(), isFolder: false }
  const dir = await folderOf(app)
  const build = await findBuildServer(dir)
  return build === undefined
    ? { server: await startFolder(dir, options), dir, isFolder: true }
    : { server: await startFunction(build, options), dir, isFolder: false }
}
