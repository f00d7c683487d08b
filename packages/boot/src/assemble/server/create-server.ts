import { protectLog } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import type { LoopBackApplication, ServerHost } from '../application/loopback-application.ts'
import { createOwnApplication } from './own-server.ts'
import { startApplication, type StartParts } from './start-application.ts'
import { withResolvers } from '../../with-resolvers.ts'
import { earlyLog } from './early-log.ts'
import { completeServer, makeServer, type ServerOptions } from './make-server.ts'
import type { PreparedApplication } from '../../read/prepare-application.ts'

/**
 * Creates a server that runs a LoopBack 3 application and is as lenient as LoopBack: paths in any case, with trailing and
 * doubled slashes; clients that take too long are disconnected. It is ready; call `listen` with `listenOptions(server)`, or
 * `inject`.
 * @throws {DefinitionError} the application is invalid; the subclass names the reason
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  return (await startServer(options, { isMain: options.asMain })).server
}

/** A server that is ready, and the application that it serves. */
export interface StartedServer {
  readonly server: FastifyInstance
  readonly application: LoopBackApplication
}

/**
 * Like `createServer`, but also returns the application.
 * @param onPrepared called with the application once it is read
 * @throws {DefinitionError} the application is invalid; the subclass names the reason
 */
export async function startServer(
  options: ServerOptions,
  parts: Omit<StartParts, 'make'> = {},
  onPrepared: (prepared: PreparedApplication) => void = () => {}
): Promise<StartedServer> {
  let opened: FastifyInstance | undefined
  const ready = withResolvers()
  const host: ServerHost = {
    log: earlyLog(options.logger),
    open: (prepared) => {
      onPrepared(prepared)
      opened = makeServer(options, prepared)
      protectLog(opened)
      return opened
    },
    complete: () => ready.promise,
    listen: () => {},
    isHeld: true
  }
  try {
    const application = await startApplication(options, host, { ...parts, make: () => createOwnApplication(options) })
    await completeServer(options, application)
    ready.resolve()
    return { server: application.server, application }
  } catch (error) {
    ready.reject(error)
    await opened?.close()
    throw error
  }
}
