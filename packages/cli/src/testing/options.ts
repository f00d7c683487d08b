import type { ServerOptions } from '@modelwire/boot'
import type { Connector } from '@modelwire/core/connector'
import type { FastifyInstance, FastifyPluginAsync, FastifyServerOptions } from 'fastify'
import type { WriteAuthorization } from './make-user.ts'

/** Makes the server of an application. */
export type BuildTestServer = (options: FastifyServerOptions) => FastifyInstance | Promise<FastifyInstance>

/**
 * What is tested: the folder of an application, a function that makes its server, or a plugin that registers Modelwire (of
 * `fastify-plugin`, or with two arguments).
 */
export type TestedApp = string | BuildTestServer | FastifyPluginAsync

/** Where a data source keeps its records: in memory, where the application says, or in a connector of the test. */
export type TestDataSource = 'memory' | 'own' | Connector

/** Options of `testServer`. */
export interface TestServerOptions {
  /** For all data sources, or by name; `memory` where nothing is said. */
  readonly dataSources?: (TestDataSource & string) | Readonly<Record<string, TestDataSource>>
  /**
   * Roles that are in memory when the application starts: one whose access rules name a role does not start where that is neither
   * stored nor registered, nor named by the option `roles` of `acl`.
   */
  readonly roles?: readonly string[]
  /** Stores the seeds of a folder first; `true` is `seeds` in the folder of the application, or in the working directory. */
  readonly seeds?: boolean | string
  /** Whose configuration files and seeds count; `NODE_ENV`, else `development`. */
  readonly environment?: string
  /** Options of Fastify; nothing is logged unless `logger` says so. */
  readonly fastify?: FastifyServerOptions
  /** Further options of `createServer` of `@modelwire/boot`, for application folders. */
  readonly boot?: Partial<ServerOptions>
  /** Writes the `Authorization` header of a user's token: `Bearer`, in application folders `Basic`, which they always read. */
  readonly authorization?: WriteAuthorization
}
