import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { installScriptObjects } from './objects/script-objects.ts'

async function plugin(app: FastifyInstance): Promise<void> {
  installScriptObjects(app.models)
}

/**
 * Gives `context.req` and `context.res` of all methods and hooks, and arguments of the sources `req` and `res`, what scripts
 * written for Express expect of them. Register it after `modelwire`.
 */
export const loopbackExpress = fp(plugin, {
  name: '@modelwire/loopback-express',
  fastify: '5.x',
  dependencies: ['@modelwire/core']
})
