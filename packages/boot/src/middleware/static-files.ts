import { isPlainObject } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'

/** Options that `serve-static` and `@fastify/static` share. */
const optionNames = new Set([
  'acceptRanges',
  'cacheControl',
  'dotfiles',
  'etag',
  'extensions',
  'immutable',
  'index',
  'lastModified',
  'maxAge',
  'redirect'
])

/**
 * Serves the files of folders, the first that has a file, below `prefix`, as `serve-static` does: `index.html` for
 * folders, hidden files not at all. What is not a file is left to the handler of unknown paths.
 */
export async function registerStatic(
  server: FastifyInstance,
  roots: readonly string[],
  prefix: string,
  options: unknown
): Promise<void> {
  const entries = Object.entries(isPlainObject(options) ? options : {}).filter(([name]) => optionNames.has(name))
  const { default: fastifyStatic } = await import('@fastify/static')
  await server.register(fastifyStatic, {
    dotfiles: 'ignore',
    redirect: true,
    ...Object.fromEntries(entries),
    root: [...roots],
    prefix,
    decorateReply: false
  })
}
