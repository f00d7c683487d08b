import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { installScriptObjects } from './script-objects.ts'

async function plugin(app: FastifyInstance): Promise<void> {
  installScriptObjects(app.models)
}

/**
 * Extends `context.req` and `context.res` of all methods and hooks, and arguments with the sources `req` and `res`, with
 * what scripts written for Express expect. Register it after `modelwire`.
 */
export const loopbackExpress = fp(plugin, {
  name: '@modelwire/loopback/express',
  fastify: '5.x',
  dependencies: ['@modelwire/core']
})
