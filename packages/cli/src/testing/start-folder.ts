import { createServer } from '@modelwire/boot'
import { inMemory } from '@modelwire/boot/in-memory'
import type { FastifyInstance } from 'fastify'
import { bootOptions } from '../load-app.ts'
import type { TestServerOptions } from './options.ts'

/** Starts an application folder. @throws {DefinitionError} it is invalid */
export async function startFolder(dir: string, options: TestServerOptions): Promise<FastifyInstance> {
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
