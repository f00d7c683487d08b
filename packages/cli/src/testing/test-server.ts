import { join, resolve } from 'node:path'
import { withConnectors, withoutListening } from '@modelwire/core/plugin'
import { seed, type SeedOptions, type SeedReport } from '@modelwire/seeds'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { chooseConnectors } from './choose-connectors.ts'
import { makeUser, type NewTestUser, type TestUser, type WriteAuthorization } from './make-user.ts'
import { issueTestToken, type NewTestToken, type TestToken } from './oauth-token.ts'
import type { BuildTestServer, TestedApp, TestServerOptions } from './options.ts'
import { type StartedApp, startApp } from './start-app.ts'
import { type TestClient, testClient } from './test-client.ts'

/** A server under test. Its own requests carry no token. */
export interface TestServer extends TestClient {
  readonly server: FastifyInstance
  readonly models: FastifyInstance['models']
  /** Makes a user with roles and a token. */
  readonly user: (user?: NewTestUser) => Promise<TestUser>
  /** Issues a token of OAuth 2.0 with scopes. */
  readonly oauthToken: (token?: NewTestToken) => Promise<TestToken>
  /** Stores the seeds of a folder, that of the option `seeds` when absent. */
  readonly seed: (dir?: string, options?: SeedOptions) => Promise<SeedReport>
  readonly close: () => Promise<void>
  /** Closes it at the end of the block: `await using app = await testServer(…)`. */
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

const bearer: WriteAuthorization = (token) => `Bearer ${token}`

// LB3: a Bearer token is in Base64 unless the application says otherwise; this form is read in either case.
const basic: WriteAuthorization = (token) => `Basic ${Buffer.from(`${token}:`).toString('base64')}`

/**
 * Starts an application with its data sources in memory, ready for requests without a port. It works with any test runner.
 * @param app the folder of an application, a function that makes its server, or a plugin
 * @throws {TestAppInvalid} it is no server with models
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
