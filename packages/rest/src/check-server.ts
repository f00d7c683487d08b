import type { FastifyInstance } from 'fastify'

/** What Fastify decides for a whole server, before any plugin: the value that LoopBack's clients expect, or the least. */
const expected = { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 1024 } as const

const checked = new WeakSet<object>()

/**
 * Tells the log, once for each server, which options of the server itself differ from what LoopBack's clients rely on. A
 * plugin cannot set them.
 */
export function checkServer({ server, initialConfig, log }: FastifyInstance): void {
  if (checked.has(server)) return
  checked.add(server)
  const set: Record<string, unknown> = { ...initialConfig, ...initialConfig.routerOptions }
  const missing = {
    ...(set['caseSensitive'] === expected.caseSensitive ? {} : { caseSensitive: expected.caseSensitive }),
    ...(set['ignoreTrailingSlash'] === expected.ignoreTrailingSlash
      ? {}
      : { ignoreTrailingSlash: expected.ignoreTrailingSlash }),
    ...(Number(set['maxParamLength']) >= expected.maxParamLength ? {} : { maxParamLength: expected.maxParamLength })
  }
  if (Object.keys(missing).length === 0) return
  log.warn(
    { routerOptions: missing },
    'LoopBack answers paths in any case, with a trailing slash and with long ids; this server does not: ' +
      `Fastify({ routerOptions: ${JSON.stringify(missing)} }) would`
  )
}
