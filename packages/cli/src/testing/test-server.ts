import { join, resolve } from 'node:path'
import { withConnectors, isOfModel } from '@modelwire/core/plugin'
import { withoutListening } from '@modelwire/server'
import { seed, type SeedOptions, type SeedReport } from '../seeds/index.ts'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import { makeUser, type NewTestUser, type TestUser, type WriteAuthorization } from './make-user.ts'
import { issueTestToken, type NewTestToken, type TestToken } from './oauth-token.ts'
import type { BuildTestServer, TestDataSource, TestedApp, TestServerOptions } from './options.ts'
import { TestAppInvalid, TestDataSourceUnknown } from '../errors.ts'
import { type TestClient, testClient } from './test-client.ts'
import { inMemoryLike } from '@modelwire/boot/in-memory'
import type { ModelRegistry } from '@modelwire/core'
import type { Connector, Collection } from '@modelwire/core/connector'
import { folderOf } from '../load-app.ts'
import { findBuildServer } from '../load-project.ts'

/** A server that is ready. */
interface StartedApp {
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

const isServer = (value: unknown): value is FastifyInstance =>
  typeof value === 'object' && value !== null && 'inject' in value && 'hasDecorator' in value

type Wanted = TestServerOptions['dataSources']

const wantedFor = (wanted: Wanted, name: string): TestDataSource =>
  typeof wanted === 'object' ? (wanted[name] ?? 'memory') : (wanted ?? 'memory')

/** How a test replaces the connectors of an application. */
interface Choice {
  /** Chooses the connector that the test wants for a data source. */
  readonly choose: Parameters<typeof withConnectors>[0]
  /**
   * @throws {TestDataSourceUnknown} the test names a data source that the application does not have
   * @throws {TestAppInvalid} a data source has another connector than the one that was chosen for it
   */
  readonly check: (registry: ModelRegistry) => void
}

/** A server under test. Its own requests carry no token. */
export interface TestServer extends TestClient {
  readonly server: FastifyInstance
  readonly models: FastifyInstance['models']
  /** Creates a user with roles and a token. */
  readonly user: (user?: NewTestUser) => Promise<TestUser>
  /** Issues an OAuth 2.0 token with scopes. */
  readonly oauthToken: (token?: NewTestToken) => Promise<TestToken>
  /** Stores the seeds of a folder, by default that of the option `seeds`. */
  readonly seed: (dir?: string, options?: SeedOptions) => Promise<SeedReport>
  readonly close: () => Promise<void>
  /** Closes the server at the end of the block: `await using app = await testServer(…)`. */
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

const bearer: WriteAuthorization = (token) => `Bearer ${token}`

// LB3: a Bearer token is in Base64 unless the application says otherwise; this form is read in either case.
const basic: WriteAuthorization = (token) => `Basic ${Buffer.from(`${token}:`).toString('base64')}`

/**
 * Starts an application with its data sources in memory, ready for requests without a port. It works with any test runner.
 * @param app the folder of an application, a function that makes its server, or a plugin
 * @throws {TestAppInvalid} it is not a server with models
 * @throws {TestDataSourceUnknown} `dataSources` names one that the application does not have
 * @throws {SeedError} the seeds are wrong
 * @throws {DefinitionError} the application is invalid
 */
export async function testServer(app: string | BuildTestServer, options?: TestServerOptions): Promise<TestServer>
export async function testServer(app: FastifyPluginAsync, options?: TestServerOptions): Promise<TestServer>
export async function testServer(app: TestedApp, options: TestServerOptions = {}): Promise<TestServer> {
  const { seeds = false } = options
  const { choose, check } = chooseConnectors(options)
  const started = await withConnectors(choose, async () => withoutListening(async () => startApp(app, options)))
  const tested = makeTestServer(started, options)
  try {
    check(started.server.models)
    if (seeds !== false) await tested.seed()
    return tested
  } catch (error) {
    await started.server.close()
    throw error
  }
}

function makeTestServer({ server, dir, isFolder }: StartedApp, options: TestServerOptions): TestServer {
  const { environment, seeds, authorization = isFolder ? basic : bearer } = options
  const seedFolder = typeof seeds === 'string' ? resolve(seeds) : join(dir, 'seeds')
  let users = 0
  const close = async (): Promise<void> => {
    await server.close()
  }
  return {
    ...testClient(server),
    server,
    models: server.models,
    user: async (user = {}) => makeUser(server, user, { count: ++users, authorization }),
    oauthToken: async (token = {}) => issueTestToken(server, token),
    seed: async (folder = seedFolder, more = {}) =>
      seed(server, folder, { ...(environment === undefined ? {} : { environment }), ...more }),
    close,
    [Symbol.asyncDispose]: close
  }
}

function refuseUnknown(wanted: Wanted, { dataSources }: ModelRegistry): void {
  const names = typeof wanted === 'object' ? Object.keys(wanted) : []
  const unknown = names.find((name) => !dataSources.has(name))
  if (unknown === undefined) return
  const known = [...dataSources.keys()].join(', ')
  throw new TestDataSourceUnknown(`the application has no data source "${unknown}", only ${known}`)
}

/** Chooses the connectors of an application under test. Roles are stored in memory alone. */
function chooseConnectors({ dataSources: wanted, roles = [] }: TestServerOptions): Choice {
  const chosen = new Set<Connector>()
  const connectorOf: Parameters<typeof withConnectors>[0] = (name, own) => {
    const choice = wantedFor(wanted, name)
    if (choice === 'own') return own
    return choice === 'memory' ? storeRoles(inMemoryLike(own), roles) : choice
  }
  return {
    choose(name, own) {
      const connector = connectorOf(name, own)
      chosen.add(connector)
      return connector
    },
    check(registry) {
      refuseUnknown(wanted, registry)
      // A test must never write to a database unseen.
      const missed = [...registry.dataSources.values()].find(
        ({ name, connector }) => !chosen.has(connector) && wantedFor(wanted, name) !== 'own'
      )
      if (missed === undefined) return
      throw new TestAppInvalid(
        `the data source "${missed.name}" does not belong to this test: create the server inside the function, and use a single copy of @modelwire/core`
      )
    }
  }
}

async function startFunction(
  app: BuildTestServer | FastifyPluginAsync,
  options: TestServerOptions
): Promise<FastifyInstance> {
  const settings = { logger: false, ...options.fastify }
  const server: unknown = isPlugin(app) ? await serverWith(app, settings) : await app(settings)
  if (!isServer(server))
    throw new TestAppInvalid(
      'the function does not return a Fastify server: return one, or pass a plugin made with fastify-plugin'
    )
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

/**
 * Starts an application without listening.
 * @throws {TestAppInvalid} it is not a server with models
 * @throws {CommandError} there is no such folder, or its project is not built
 * @throws {DefinitionError} the application is invalid
 */
async function startApp(app: TestedApp, options: TestServerOptions): Promise<StartedApp> {
  if (typeof app !== 'string') return { server: await startFunction(app, options), dir: process.cwd(), isFolder: false }
  const dir = await folderOf(app)
  const build = await findBuildServer(dir)
  if (build !== undefined) return { server: await startFunction(build, options), dir, isFolder: false }
  // Functions are tested without all that folders need.
  const { startFolder } = await import('./start-folder.ts')
  return { server: await startFolder(dir, options), dir, isFolder: true }
}

/** Lets a connector of a test hold roles once it is connected, before access rules are checked. */
function storeRoles(connector: Connector, roles: readonly string[]): Connector {
  if (roles.length === 0) return connector
  const collections: Collection[] = []
  const collection = connector.collection.bind(connector)
  const connect = connector.connect.bind(connector)
  connector.collection = (model) => {
    const made = collection(model)
    if (isOfModel(model, 'Role')) collections.push(made)
    return made
  }
  connector.connect = async () => {
    await connect()
    for (const each of collections.splice(0)) await each.insert(roles.map((name) => ({ name })))
  }
  return connector
}
