import { requestPath, writePath } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'

interface Status {
  readonly started: Date
  /** In seconds. */
  readonly uptime: number
}

function makeStatus(): () => Status {
  const started = new Date()
  return () => ({ started, uptime: (Date.now() - started.getTime()) / 1000 })
}

/**
 * Adds a route that returns when the application was started and how many seconds it has run. It may be mounted at several
 * paths.
 */
export async function registerStatus(server: FastifyInstance, path: string): Promise<void> {
  if (server.hasRoute({ method: 'GET', url: path })) return
  const status = makeStatus()
  server.get(path, async () => status())
}

/** Returns the status before a route with the same path can. */
export function answerStatus(server: FastifyInstance, path: string): void {
  const status = makeStatus()
  server.addHook('onRequest', async (request, reply) => {
    const requested = requestPath(request)
    if (request.method === 'GET' && requested !== undefined && writePath(requested) === path) await reply.send(status())
  })
}
