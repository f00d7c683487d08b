import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/**
 * Serves the files of a folder below `prefix`, as `serve-static` does: `index.html` for folders, hidden files not at all.
 * What is no file is left to the handler of unknown paths.
 */
export async function registerStatic(server: FastifyInstance, root: string, prefix: string): Promise<void> {
  await server.register(fastifyStatic, { root, prefix, decorateReply: false, dotfiles: 'ignore', redirect: true })
}
