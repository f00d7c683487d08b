import type { FastifyInstance } from 'fastify'

/** What Fastify decides for a whole server, before any plugin: the value that LoopBack's clients expect, or the least. */
const expected = { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 1024 } as const

const checked = new WeakSet<object>()

/**
 * Logs, once for each server, which options of the server itself differ from what LoopBack's clients rely on. Call it for
 * application folders alone: clients of other models never relied on them. A plugin cannot set these options.
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

const timed = new WeakSet<object>()

/**
 * Logs a warning when a server begins to listen without a limit of time for requests: a client that sends its body
 * slowly holds a connection forever. Fastify sets none by itself, and a plugin cannot.
 */
export function warnWithoutTimeLimit(scope: FastifyInstance): void {
  if (timed.has(scope.server)) return
  timed.add(scope.server)
  scope.addHook('onListen', (done) => {
    if (scope.server.requestTimeout === 0)
      scope.log.warn(
        'no limit of time for requests: a slow client holds its connection forever; Fastify({ requestTimeout: 120000 }) sets one'
      )
    done()
  })
}
