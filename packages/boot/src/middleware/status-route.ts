import type { FastifyInstance } from 'fastify'

/** Answers when the application was started and for how many seconds it has run. */
export async function registerStatus(server: FastifyInstance, path: string): Promise<void> {
  const started = new Date()
  server.get(path, async () => ({ started, uptime: (Date.now() - started.getTime()) / 1000 }))
}
