import { helmetOptions, noCacheHeaders } from './helmet-options.ts'
import type { MiddlewareStep } from './middleware-plan.ts'

/** The step that sets the headers of the parts wanted, by their old names. */
export function registerHelmet(wanted: ReadonlyMap<string, unknown>): MiddlewareStep {
  return {
    label: `helmet (${[...wanted.keys()].join(', ')})`,
    register: async (server) => {
      const { default: fastifyHelmet } = await import('@fastify/helmet')
      await server.register(fastifyHelmet, helmetOptions(wanted))
      if (!wanted.has('noCache')) return
      server.addHook('onRequest', async (_request, reply) => {
        reply.headers(noCacheHeaders)
      })
    }
  }
}
