import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'

/** Answers `/favicon.ico` with a file, or with nothing at all. */
export async function registerFavicon(server: FastifyInstance, path: string | undefined): Promise<void> {
  const icon = path === undefined ? undefined : await readFile(path)
  server.get('/favicon.ico', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=86400')
    return icon === undefined ? reply.code(204).send() : reply.type('image/x-icon').send(icon)
  })
}
