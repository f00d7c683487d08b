import { requestPath, writePath } from '@modelwire/core/plugin'
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

/** Answers when the application was started and for how many seconds it has run. */
export async function registerStatus(server: FastifyInstance, path: string): Promise<void> {
  const status = makeStatus()
  server.get(path, async () => status())
}

/** Answers the status ahead of a route that has the same path. */
export function answerStatus(server: FastifyInstance, path: string): void {
  const status = makeStatus()
  server.addHook('onRequest', async (request, reply) => {
    const requested = requestPath(request)
    if (request.method === 'GET' && requested !== undefined && writePath(requested) === path) await reply.send(status())
  })
}
