import type { ServerOptions } from '@modelwire/boot'
import type { Connector } from '@modelwire/core/connector'
import type { FastifyInstance, FastifyPluginAsync, FastifyServerOptions } from 'fastify'
import type { WriteAuthorization } from './make-user.ts'

/** Creates the server of an application. */
export type BuildTestServer = (options: FastifyServerOptions) => FastifyInstance | Promise<FastifyInstance>

/**
 * The application under test: its folder, a function that creates its server, or a plugin that registers Modelwire (made
 * with `fastify-plugin`, or with two parameters).
 */
export type TestedApp = string | BuildTestServer | FastifyPluginAsync

/** Where a data source stores its records: in memory, as configured by the application, or in a connector of the test. */
export type TestDataSource = 'memory' | 'own' | Connector

/** Options of `testServer`. */
export interface TestServerOptions {
  /** For all data sources, or by name; `memory` by default. */
  readonly dataSources?: (TestDataSource & string) | Readonly<Record<string, TestDataSource>>
  /**
   * Roles that exist in memory when the application starts: an application whose access rules name a role does not start
   * unless the role is stored, registered, or listed in the option `roles` of `acl`.
   */
  readonly roles?: readonly string[]
  /** Stores the seeds of a folder first; `true` means `seeds` in the folder of the application, or in the working directory. */
  readonly seeds?: boolean | string
  /** Environment whose configuration files and seeds are used; `NODE_ENV`, else `development`. */
  readonly environment?: string
  /** Options of Fastify; nothing is logged unless `logger` is set. */
  readonly fastify?: FastifyServerOptions
  /** Further options of `createServer` of `@modelwire/boot`, for application folders. */
  readonly boot?: Partial<ServerOptions>
  /**
   * Writes the `Authorization` header of a user's token: `Bearer`, but `Basic` in application folders, which always accept
   * it.
   */
  readonly authorization?: WriteAuthorization
}
